"""Reads a program by pyatspi, as its users do: `NAME showing` or `NAME all`. What it remembers goes with it."""

import json
import sys
import time

import pyatspi


def find(name):
    for program in pyatspi.Registry.getDesktop(0):
        if program and program.name.lower() == name:
            return program
    raise SystemExit("there is no program " + name)


def bounds_of(node):
    try:
        box = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        return box.x, box.y, box.width, box.height
    except NotImplementedError:
        return None


def text_of(node):
    try:
        return node.queryText().getText(0, 200)
    except NotImplementedError:
        return None


def read(node, everything):
    """What a snapshot has: roles, names, states, places, and the texts of fields."""
    states = node.getState()
    shows = states.contains(pyatspi.STATE_SHOWING)
    if not shows and not everything and node.getRole() != pyatspi.ROLE_APPLICATION:
        return None
    children = [read(child, everything) for child in node if child]
    return {
        "role": node.getRoleName(),
        "name": node.name,
        "states": [str(state) for state in states.getStates()],
        "bounds": bounds_of(node) if shows else None,
        "text": text_of(node) if states.contains(pyatspi.STATE_EDITABLE) else None,
        "children": [child for child in children if child],
    }


def count(tree):
    return 1 + sum(count(child) for child in tree["children"])


name, what = sys.argv[1:]
start = time.perf_counter()
tree = read(find(name), what == "all")
took = (time.perf_counter() - start) * 1000
print(json.dumps({"ms": took, "elements": count(tree)}))
