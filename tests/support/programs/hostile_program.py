#!/usr/bin/python3
"""A program on an accessibility bus that lies: `hostile_program.py ADDRESS WAY [NUMBER]`. It ends with its input."""
import sys
import threading
from gi.repository import Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
NONE = "/org/a11y/atspi/null"
DEFUNCT = 1 << 6
SHOWING = (1 << 25) | (1 << 30) | (1 << 8) | (1 << 24) | (1 << 11)
APPLICATION, WINDOW, BUTTON, TEXT = 75, 23, 43, 61
ATSPI = "org.a11y.atspi."
INTERFACES = [ATSPI + each for each in ("Accessible", "Component", "Action", "Text", "EditableText")]

address, way = sys.argv[1:3]
number = int(sys.argv[3]) if len(sys.argv) > 3 else 5
flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
name = bus.get_unique_name()
answered = 0
names = 0
clicked = set()


def variant(types, value):
    return GLib.Variant(f"({types})", (value,))


def children(path):
    if path == ROOT:
        return ["/w"]
    if way == "circles":
        return ["/w", "/a", path]
    if way == "endless":
        return [f"{path}/0", f"{path}/1"]
    return [f"/b/{index}" for index in range(number)] if path == "/w" else []


def name_of(path):
    global names
    names += 1
    if path == ROOT:
        return "hostile"
    if way == "long names" and path.startswith("/b/") or way == "a long title":
        return path + "n" * number_of_characters
    return f"name {names}" if way == "other names" and path != "/w" else "window" if path == "/w" else f"button {path}"


number_of_characters = int(sys.argv[4]) if len(sys.argv) > 4 else 900_000


def item(index):
    place = ((name, f"/b/{index}"), (name, ROOT), (name, "/w"), index, 0)
    return (*place, INTERFACES[:2], f"n{index}", BUTTON, "", [SHOWING, 0])


def property_of(path, wanted):
    if way == "wrong types" and path != ROOT:
        return GLib.Variant("aas", [["x"]])
    if wanted == "Name":
        return GLib.Variant("s", name_of(path))
    if wanted == "Description":
        return GLib.Variant("s", "d" * number_of_characters if way == "long descriptions" else "")
    if wanted in ("ChildCount", "CharacterCount"):
        lies = way == "claims" and path != ROOT or wanted == "CharacterCount"
        return GLib.Variant("i", 2**31 - 1 if lies else len(children(path)))
    if wanted == "Parent":
        return GLib.Variant("(so)", (name, path if way == "circles" else ROOT))
    return GLib.Variant("s", "hostile") if wanted == "ToolkitName" else None


def answer(path, member, body):
    if way == "empty answers" and path != ROOT and member != "Get":
        return "nothing"
    if way == "wrong types" and path != ROOT and member != "Get":
        return GLib.Variant("(ssss)", ("1", "2", "3", "4"))
    if way == "wrong places" and member == "GetExtents" and path != "/w":
        return GLib.Variant("((dddd))", ((float("nan"), float("inf"), 1e308, -1e308),))
    if member == "Get":
        value = property_of(path, body[1])
        return None if value is None else GLib.Variant("(v)", (value,))
    if member == "GetItems":
        if way == "a large cache":
            return GLib.Variant("(a((so)(so)(so)iiassusau))", ([item(index) for index in range(number)],))
        if way == "a cache of other things":
            return variant("as", [""] * number)
        return variant("s", "n" * number) if way == "a cache too long" else None
    if member == "DoAction":
        clicked.add(path)
    gone = DEFUNCT if way == "gone when clicked" and path in clicked else 0
    index = body[0] if member == "GetChildAtIndex" else 0
    known = children(path)
    simple = {
        "GetRole": ("u", {ROOT: APPLICATION, "/w": WINDOW}.get(path, TEXT if way == "long texts" else BUTTON)),
        "GetState": ("au", [SHOWING | gone | (2 if path == "/w" else 0), 0]),
        "GetInterfaces": ("as", INTERFACES),
        "GetChildren": ("a(so)", [(name, each) for each in known]),
        "GetChildAtIndex": ("(so)", (name, known[index] if index < len(known) else f"/b/{index}")),
        "GetIndexInParent": ("i", 0),
        "GetExtents": ("(iiii)", (10, 10, 300, 200) if path == "/w" else (20, 20, 100, 20)),
        "GetText": ("s", "t" * number_of_characters if way == "long texts" else "text"),
        "GetRelationSet": ("a(ua(so))", []),
        "GetAccessibleAtPoint": ("(so)", (name, f"/b/{answered}")),
        "GetActions": ("a(sss)", [("click", "", "")]),
        "DoAction": ("b", True),
    }
    return variant(*simple[member]) if member in simple else None


def on_message(connection, message, incoming):
    global answered
    if not incoming or message.get_message_type() != Gio.DBusMessageType.METHOD_CALL:
        return message
    if way == "no answers" and message.get_path() != ROOT:
        return None
    answered += 1
    body = message.get_body().unpack() if message.get_body() else ()
    value = answer(message.get_path(), message.get_member(), body)
    if value is None:
        reply = message.new_method_error_literal("org.freedesktop.DBus.Error.UnknownMethod", "no")
    else:
        reply = message.new_method_reply()
        if value != "nothing":
            reply.set_body(value)
    connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)
    return None


def send_events():
    body = GLib.Variant("(siiv(so))", ("defunct", 0, 0, GLib.Variant("s", "e" * number), (name, ROOT)))
    for _ in range(50):
        bus.emit_signal(None, ROOT, ATSPI + "Event.Object", "StateChanged", body)
    return True


def end_with_input():
    sys.stdin.read()
    print(f"answered {answered}", flush=True)
    loop.quit()


bus.add_filter(on_message)
bus.call_sync(
    ATSPI + "Registry", ROOT, ATSPI + "Socket", "Embed", GLib.Variant("((so))", ((name, ROOT),)), None, 0, -1, None
)
if way == "events":
    GLib.timeout_add(20, send_events)
loop = GLib.MainLoop()
threading.Thread(target=end_with_input, daemon=True).start()
print("ready", flush=True)
loop.run()
