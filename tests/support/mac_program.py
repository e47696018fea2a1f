#!/usr/bin/env python3
"""Stands in for the programs of macOS that the service drives: under each of their names it records how it was called and does what the program documents, on a small desktop that is kept in a file."""

import base64
import fcntl
import json
import os
import struct
import sys
import time
import zlib

program = os.path.basename(sys.argv[0])
args = sys.argv[1:]
folder = os.path.dirname(os.path.abspath(sys.argv[0]))
READS = {"cliclick", "pbcopy"}
stdin = sys.stdin.buffer.read().decode() if program in READS else ""

lock = open(f"{folder}/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
with open(f"{folder}/calls.jsonl", "a") as calls:
    call = {"program": program, "args": args, "stdin": stdin, "env": dict(os.environ)}
    if program == "screencapture":
        call["folder_mode"] = os.stat(os.path.dirname(args[-1])).st_mode & 0o777
    calls.write(json.dumps(call) + "\n")
desktop = json.load(open(f"{folder}/desktop.json"))
before = json.dumps(desktop)
fault = desktop["faults"].get(program, {})
if fault.get("times", 1) > 0:
    if "times" in fault:
        fault["times"] -= 1
else:
    fault = {}


def save():
    if json.dumps(desktop) == before:
        return  # a test may have changed it meanwhile
    json.dump(desktop, open(f"{folder}/desktop.json.new", "w"))
    os.rename(f"{folder}/desktop.json.new", f"{folder}/desktop.json")


def press(what, down):
    if down:
        desktop["down"] = sorted({*desktop["down"], what})
    else:
        desktop["down"] = [other for other in desktop["down"] if other != what]


def move(where):
    if where == ".":
        return
    x, y = (int(part.removeprefix("=")) for part in where.split(","))
    desktop["cursor"] = [x, y]


def cliclick(lines):
    for count, line in enumerate(lines):
        if count == fault.get("after", -1):
            return
        command, _, data = line.strip(" \t").partition(":")
        if command in ("m", "c", "dc", "tc", "rc", "dd", "dm", "du"):
            move(data)
        if command in ("dd", "du"):
            press("left", command == "dd")
        if command in ("kd", "ku"):
            for key in data.split(","):
                press(key, command == "kd")
        if command == "p":
            print("{},{}".format(*desktop["cursor"]))
        if command == "t":
            assert data != "", "Missing argument"
            desktop["typed"] += desktop["pasteboard"] if data == "v" and "cmd" in desktop["down"] else data
        if command == "kp":
            desktop["typed"] += {"return": "\n", "tab": "\t", "space": " "}.get(data, f"<{data}>")


def clipboard(what, *rest):
    board = desktop["clipboard"]
    contents = b""
    answer = {"version": board["version"]}
    if what == "write":
        given = sys.stdin.buffer.read()
        length = int(given[:10])
        head = json.loads(given[10 : 10 + length])
        at = 10 + length
        board["formats"] = {}
        for format, size in head["sizes"].items():
            board["formats"][format] = base64.b64encode(given[at : at + size]).decode()
            at += size
        if head["files"]:
            board["formats"]["files"] = base64.b64encode(json.dumps(head["files"]).encode()).decode()
        board["version"] += 1
        board["passing"] = rest[0] == "true"
        answer = {"version": board["version"]}
    if what == "read":
        found = {format: base64.b64decode(board["formats"][format]) for format in json.loads(rest[0]) if format in board["formats"]}
        sizes = {format: len(data) for format, data in found.items()}
        answer |= {"types": [f"public.{format}" for format in board["formats"]], "available": list(board["formats"]), "sizes": sizes}
        contents = b"".join(found.values())
        large = [format for format, size in sizes.items() if size > int(rest[1])]
        if large:
            answer, contents = {"tooLarge": large[0]}, b""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + contents)


def windows(job):
    all = desktop["windows"]
    if job["do"] == "list":
        return {"windows": all, "front": desktop["front"], "areas": desktop["areas"]}
    if not desktop["answer"]["accessibility"]:
        return {"refused": "accessibility"}
    found = [window for window in all if window["number"] == job["number"]]
    if not found:
        return {"refused": "closed"}
    if job["do"] == "close":
        all.remove(found[0])
    if job["do"] in ("focus", "minimize", "restore"):
        found[0]["minimized"] = job["do"] == "minimize"
    if job["do"] == "focus":
        desktop["front"] = found[0]["pid"]
        all.insert(0, all.pop(all.index(found[0])))
    if job["do"] in ("move", "resize", "place"):
        found[0].update({key: job[key] for key in ("x", "y", "width", "height") if key in job})
    return {"done": True}


def flat(elements):
    return [each for element in elements for each in [element, *flat(element["children"])]]


def elements(job):
    if not desktop["answer"]["accessibility"]:
        return {"refused": "accessibility"}
    all = {element["id"]: element for element in flat(desktop["elements"])}
    if job["do"] == "read":
        wanted = job["scope"].get("window") if isinstance(job["scope"], dict) else None
        roots = [one for one in desktop["elements"] if wanted in (None, one["id"].split(":")[1])]
        return {"roots": roots, "truncated": {}} if roots else {"refused": "closed"}
    if job["do"] == "refresh":
        return {"elements": [all.get(id) for id in job["ids"]]}
    element = all.get(job["id"])
    if element is None:
        return {"refused": "closed"}
    if job["action"]["kind"] == "set value":
        element["value"] = job["action"]["value"]
    if job["action"]["kind"] == "click":
        element["value"] = "0" if element["value"] == "1" else "1"
    return {"answer": True}


def osascript():
    assert args[:3] == ["-l", "JavaScript", "-e"]
    if args[4:5] == ["windows"]:
        print(json.dumps(windows(json.loads(args[5]))))
        return
    if args[4:5] == ["elements"]:
        print(json.dumps(elements(json.load(sys.stdin))))
        return
    if len(args) == 4:
        print(json.dumps(desktop["answer"]))
        return
    if args[4] in ("read", "write", "version"):
        clipboard(*args[4:])
        return
    if fault.get("untrusted"):
        print("not trusted")
        return
    for event in json.loads(args[4]):
        if event["type"] == "button":
            press(f"button {event['button']}", event["down"])
        if event["type"] == "key":
            press(f"key {event['code']}", event["down"])
    print("done")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def screencapture():
    x, y, width, height = (int(part) for part in args[3].removeprefix("-R").split(","))
    scale = desktop["scale"]
    columns = bytes((x * scale + column) % 256 for column in range(width * scale))
    spots = desktop["spots"] + ([[at * scale for at in desktop["cursor"]]] if "-C" in args else [])
    rows = bytearray()
    for line in range(height * scale):
        row = bytearray(b"\0\0\7\xff" * len(columns))
        row[0::4] = columns
        row[1::4] = bytes([(y * scale + line) % 256]) * len(columns)
        row[2::4] = bytes([desktop["blue"]]) * len(columns)
        for left, top in spots:
            if top == y * scale + line and 0 <= left - x * scale < len(columns):
                row[(left - x * scale) * 4 + 2] = 255
        rows += b"\0" + row
    header = struct.pack(">IIBBBBB", width * scale, height * scale, 8, 6, 0, 0, 0)
    with open(args[-1], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(bytes(rows), 1)) + chunk(b"IEND", b""))


if "after" in fault or not fault.get("code"):
    if program == "cliclick":
        cliclick(stdin.splitlines())
    elif program == "osascript":
        osascript()
    elif program == "screencapture" and not fault.get("nothing"):
        screencapture()
    elif program == "pbpaste":
        sys.stdout.write(desktop["pasteboard"])
    elif program == "pbcopy":
        desktop["pasteboard"] = stdin
save()
fcntl.flock(lock, fcntl.LOCK_UN)
sys.stderr.write(fault.get("stderr", ""))
sys.stdout.flush()
time.sleep(fault.get("delay_ms", 0) / 1000)
if fault.get("hang"):
    time.sleep(600)
sys.exit(fault.get("code", 0))
