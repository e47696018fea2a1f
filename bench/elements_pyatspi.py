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


TEXTS = {"entry", "text", "spin button", "paragraph", "terminal", "editbar", "autocomplete"}
LABELS = {"label", "static", "heading", "table cell", "list item", "section"}
NUMBERS = {"slider", "spin button", "progress bar", "scroll bar", "level bar", "dial"}
NAMED = {
    *("push button", "toggle button", "check box", "radio button", "combo box", "entry", "text"),
    *("password text", "slider", "spin button", "list box", "list", "table", "tree"),
}


def value_of(node, role, name, states):
    """Texts of fields and of what has no name, and numbers, of the objects whose values a snapshot has."""
    is_text = (
        role in TEXTS
        or states.contains(pyatspi.STATE_EDITABLE)
        or (name == "" and role in LABELS and node.childCount == 0)
    )
    try:
        if is_text:
            return node.queryText().getText(0, 2000)
        if role in NUMBERS:
            return node.queryValue().currentValue
    except NotImplementedError:
        pass
    return None


def label_of(node):
    for relation in node.getRelationSet():
        if relation.getRelationType() == pyatspi.RELATION_LABELLED_BY:
            return relation.getTarget(0).name
    return None


def read(node, everything):
    """What a snapshot has: roles, names, descriptions, states, abilities, places, values and labels."""
    states = node.getState()
    shows = states.contains(pyatspi.STATE_SHOWING)
    if not shows and not everything and node.getRole() != pyatspi.ROLE_APPLICATION:
        return None
    children = [read(child, everything) for child in node if child]
    role, name = node.getRoleName(), node.name
    return {
        "role": role,
        "name": name,
        "description": node.description,
        "states": [str(state) for state in states.getStates()],
        "interfaces": pyatspi.listInterfaces(node),
        "bounds": bounds_of(node),
        "value": value_of(node, role, name, states),
        "label": label_of(node) if name == "" and role in NAMED else None,
        "children": [child for child in children if child],
    }


def count(tree):
    return 1 + sum(count(child) for child in tree["children"])


name, what = sys.argv[1:]
start = time.perf_counter()
tree = read(find(name), what == "all")
took = (time.perf_counter() - start) * 1000
print(json.dumps({"ms": took, "elements": count(tree)}))
