#!/usr/bin/env python3
"""Stands in for macOS's `security`: it keeps items in a file and records its arguments, environment and input."""

import base64
import json
import os
import shlex
import sys

folder = os.path.dirname(os.path.abspath(__file__))
store_path = os.path.join(folder, "store.json")
NOT_FOUND = 44


def load():
    return json.load(open(store_path)) if os.path.exists(store_path) else {}


def options(words):
    found, rest = {}, list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-s", "-a", "-l") or (word == "-w" and rest):
            found[word] = rest.pop(0)
        else:
            found[word] = True
    return found


def blob(text):
    if text.isascii():
        return f'"{text}"'
    escaped = "".join(chr(b) if b < 128 else f"\\{b:03o}" for b in text.encode())
    return f"0x{text.encode().hex().upper()}  \"{escaped}\""


def run(words):
    items, given = load(), options(words[1:])
    account = given.get("-a")
    if words[0] == "add-generic-password":
        if not os.path.exists(os.path.join(folder, "broken")):
            items[account] = [given["-s"], given["-w"]]
        json.dump(items, open(store_path, "w"))
        return 0
    if words[0] == "show-keychain-info":
        return 36 if os.path.exists(os.path.join(folder, "locked")) else 0
    if words[0] == "dump-keychain":
        for name, (service, _) in {**items, "mail": ["Mail", ""]}.items():
            print('keychain: "/Users/ann/Library/Keychains/login.keychain-db"\nversion: 512')
            print('class: "genp"\nattributes:\n    0x00000007 <blob>="Computer Control"')
            print('    0x00000008 <blob>=<NULL>')
            print(f'    "acct"<blob>={blob(name)}\n    "cdat"<timedate>=0x32  "2"')
            print(f'    "desc"<blob>=<NULL>\n    "svce"<blob>={blob(service)}')
        return 0
    if account not in items or items[account][0] != given["-s"]:
        return NOT_FOUND
    if words[0] == "delete-generic-password":
        del items[account]
        json.dump(items, open(store_path, "w"))
    elif given.get("-w"):
        print(items[account][1])
    return 0


text = sys.stdin.read() if sys.argv[1:] == ["-i"] else ""
record = {"args": sys.argv[1:], "env": dict(os.environ), "stdin": text}
with open(os.path.join(folder, "record.jsonl"), "a") as file:
    file.write(json.dumps(record) + "\n")
if sys.argv[1:] == ["-i"]:
    code = 0
    for line in text.splitlines():
        assert len(line.encode()) < 4096
        code = run(shlex.split(line))
    sys.exit(code)
sys.exit(run(sys.argv[1:]))
