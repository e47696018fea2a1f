#!/usr/bin/env python3
"""Fills a form in a window, as a person would: click, type, Tab, space, Enter. Standard library only.

    python3 examples/fill_form.py /tmp/form.json

The window is examples/form.py; the service starts it, so that it opens on the service's display.
"""

import json
import os
import shlex
import sys
import urllib.request

SERVICE = os.environ.get("COMPUTER_CONTROL_URL", "http://127.0.0.1:4242")
TOKEN = os.environ.get("COMPUTER_CONTROL_TOKEN")
FORM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "form.py")


def call(path, body=None):
    """Posts a body (or gets, without one) and returns the JSON of the answer, if it has any."""
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVICE + path, data, headers)) as response:
        text = response.read()
    return json.loads(text) if text else None


def wait_for_output(pid, text):
    """Reads what a program writes until the text has come; returns where to read on."""
    offset, seen = 0, ""
    while text not in seen:
        path = f"/api/bash/process/{pid}/output?offset={offset}&wait_ms=30000"
        part = call(path)
        seen, offset = seen + part["output"], part["next_offset"]
        if part["status"] == "completed" and text not in seen:
            sys.exit(f"The form has ended: {seen}")
    return offset


def wait_for_end(pid, offset):
    """Reads on until the program has ended, whatever it still writes; returns the last answer."""
    while True:
        part = call(f"/api/bash/process/{pid}/output?offset={offset}&wait_ms=30000")
        if part["status"] == "completed":
            return part
        offset = part["next_offset"]


def main(file):
    command = f"/usr/bin/python3 {shlex.quote(FORM)} {shlex.quote(file)}"
    pid = call("/api/bash/command", {"command": command, "timeout": 0})["process_id"]
    offset = wait_for_output(pid, "ready")
    call("/api/display/wait", {"until": "stable", "timeout_ms": 10000})

    call("/api/mouse/left-click", {"x": 260, "y": 115})  # into the first field
    call("/api/keyboard/type", {"text": "Ada Lovelace\tZürich\t"})  # Tab goes to the next field
    call("/api/keyboard/key", {"key": "space"})  # ticks the box
    call("/api/keyboard/hotkey", {"keys": ["tab"]})
    call("/api/keyboard/key", {"key": "enter"})  # presses the button

    end = wait_for_end(pid, offset)
    print(f"the form ended with {end['exit_code']}")
    return 0 if end["exit_code"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "/tmp/form.json"))
