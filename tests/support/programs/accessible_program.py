#!/usr/bin/python3
"""A program on an accessibility bus that no toolkit would make: one window with as many children as a number can say."""
import sys
from gi.repository import Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
FRAME = "/org/a11y/atspi/accessible/1"
COUNT = 2**31 - 1
SHOWING = (1 << 25) | (1 << 30) | (1 << 8) | (1 << 24)
APPLICATION, WINDOW, BUTTON = 75, 23, 43
ATSPI = "org.a11y.atspi."

address = sys.argv[1]
flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
name = bus.get_unique_name()


def number_of(path):
    return {ROOT: 1, FRAME: COUNT}.get(path, 1)


def child(path, index):
    if path == ROOT:
        return FRAME
    return f"/child/{index}" if path == FRAME else FRAME  # below a child is the window again


def property_of(path, wanted):
    if wanted == "Name":
        return GLib.Variant("s", "endless" if path in (ROOT, FRAME) else "n" * 100_000)
    if wanted == "ChildCount":
        return GLib.Variant("i", number_of(path))
    return GLib.Variant("s", "test" if wanted == "ToolkitName" else "")


def item(index):
    place = ((name, child(FRAME, index)), (name, ROOT), (name, FRAME), index, 1)
    return (*place, [ATSPI + "Accessible"], "n" * 100_000, BUTTON, "", [SHOWING, 0])


def answer(path, member, body):
    if member == "Get":
        return GLib.Variant("(v)", (property_of(path, body[1]),))
    if member == "GetRole":
        return GLib.Variant("(u)", ({ROOT: APPLICATION, FRAME: WINDOW}.get(path, BUTTON),))
    if member == "GetState":
        return GLib.Variant("(au)", ([SHOWING, 0],))
    if member == "GetInterfaces":
        return GLib.Variant("(as)", ([ATSPI + "Accessible"],))
    if member == "GetChildAtIndex":
        return GLib.Variant("((so))", ((name, child(path, body[0])),))
    if member == "GetChildren" and path != FRAME:
        return GLib.Variant("(a(so))", ([(name, child(path, 0))],))
    if member == "GetItems":
        return GLib.Variant("(a((so)(so)(so)iiassusau))", ([item(index) for index in range(200)],))
    if member == "GetRelationSet":
        return GLib.Variant("(a(ua(so)))", ([],))
    return None


def on_message(connection, message, incoming):
    if not incoming or message.get_message_type() != Gio.DBusMessageType.METHOD_CALL:
        return message
    if message.get_member() == "GetChildren" and message.get_path() == FRAME:
        print("asked for all", flush=True)  # and never answered
        return None
    body = message.get_body().unpack() if message.get_body() else ()
    value = answer(message.get_path(), message.get_member(), body)
    if value is None:
        reply = message.new_method_error_literal("org.freedesktop.DBus.Error.UnknownMethod", "no")
    else:
        reply = message.new_method_reply()
        reply.set_body(value)
    connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)
    return None


bus.add_filter(on_message)
bus.call_sync(
    ATSPI + "Registry", ROOT, ATSPI + "Socket", "Embed", GLib.Variant("((so))", ((name, ROOT),)), None, 0, -1, None
)
print("ready", flush=True)
GLib.MainLoop().run()
