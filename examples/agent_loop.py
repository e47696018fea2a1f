#!/usr/bin/env python3
"""A loop for an agent: look at the screen, let a model decide, do it, until the goal is reached.

Needs Python 3.9 and nothing else. Start the service first, then:

    python3 examples/agent_loop.py /tmp/greeting.txt

The model here is a scripted stand-in, so that the loop runs without a key: see decide().
COMPUTER_CONTROL_URL and COMPUTER_CONTROL_TOKEN say where the service is and what it asks for.
"""

import json
import os
import shlex
import sys
import urllib.error
import urllib.request

SERVICE = os.environ.get("COMPUTER_CONTROL_URL", "http://127.0.0.1:4242")
TOKEN = os.environ.get("COMPUTER_CONTROL_TOKEN")
MAX_STEPS = 20


def send(method, path, body=None):
    """Sends a request to the service and returns the open response."""
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVICE + path, data, headers, method=method)
    try:
        return urllib.request.urlopen(request, timeout=120)
    except urllib.error.HTTPError as error:
        detail = json.load(error).get("detail")
        raise RuntimeError(f"{path} answered {error.code}: {detail}") from error


def post(path, body):
    """Calls an operation; returns its JSON, or None where it has none."""
    with send("POST", path, body) as response:
        text = response.read()
    return json.loads(text) if text else None


def look():
    """Takes a picture in the size that a model reads best, and the name of its coordinate space."""
    with send("GET", "/api/display/screenshot?format=png&fit=claude&cursor=true") as response:
        return {"png": response.read(), "frame": response.headers["X-Frame"]}


def decide(goal, picture, history):
    """The place for a model: it gets the goal, the picture and what was done, and returns one action.

    With a real model send picture["png"] (base64 in most interfaces), the goal and the history, and
    turn its answer into one of the actions that act() knows. Its coordinates are those of the picture.
    """
    command = f"printf '%s\\n' {shlex.quote(goal['text'])} > {shlex.quote(goal['file'])}"
    script = [
        {"action": "run", "command": "LC_ALL=C.UTF-8 xterm -T Agent -geometry 80x24+0+0"},
        {"action": "wait", "until": {"window": {"title": "Agent"}}},
        {"action": "click", "x": 200, "y": 150},
        {"action": "type", "text": command},
        {"action": "key", "key": "enter"},
        {"action": "wait", "until": {"file": {"path": goal["file"], "contains": goal["text"]}}},
        {"action": "done"},
    ]
    last = history[-1]["result"] if history else None
    if isinstance(last, dict) and last.get("status") == "timeout":
        return {"action": "give up", "reason": "what was waited for did not come"}
    return script[len(history)]


def act(action, picture):
    """Does one action of a model. Points of the picture are mapped to the screen by its frame."""
    kind = action["action"]
    if kind == "click":
        point = {"x": action["x"], "y": action["y"], "frame": picture["frame"]}
        return post("/api/mouse/left-click", point)
    if kind == "type":
        return post("/api/keyboard/type", {"text": action["text"]})
    if kind == "key":
        return post("/api/keyboard/key", {"key": action["key"]})
    if kind == "scroll":
        return post("/api/mouse/scroll", {"clicks": action["clicks"]})
    if kind == "run":
        return post("/api/bash/command", {"command": action["command"], "timeout": 0})
    if kind == "wait":
        return post("/api/display/wait", {"until": action["until"], "timeout_ms": 10000})
    raise ValueError(f"There is no action {kind!r}")


def reach(goal):
    """Runs the loop. Returns True when the model says that the goal is reached."""
    history = []
    for step in range(1, MAX_STEPS + 1):
        picture = look()
        action = decide(goal, picture, history)
        print(f"step {step}: {json.dumps(action, ensure_ascii=False)}", flush=True)
        if action["action"] == "done":
            return True
        if action["action"] == "give up":
            return False
        history.append({"action": action, "result": act(action, picture)})
    return False


if __name__ == "__main__":
    file = sys.argv[1] if len(sys.argv) > 1 else "/tmp/greeting.txt"
    try:
        reached = reach({"text": "Grüße, 漢字 😀", "file": file})
    finally:
        post("/api/system/release-all", {})  # whatever happened, no key stays down
    sys.exit(0 if reached else 1)
