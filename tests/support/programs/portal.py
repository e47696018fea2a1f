#!/usr/bin/python3
"""A desktop portal (RemoteDesktop, ScreenCast, Clipboard) whose person is the test: see org.example.Person."""
import json
import os
import sys
from gi.repository import Gio, GLib
from mutter_sessions import connect_pipewire, MutterSession

PORTAL = "org.freedesktop.portal."
ROOT = "/org/freedesktop/portal/desktop"
VERSIONS = json.loads(sys.argv[1])
IS_REAL = "mutter" in sys.argv[2:]
METHODS = {
    "RemoteDesktop": {
        "CreateSession": "a{sv}",
        "SelectDevices": "oa{sv}",
        "Start": "osa{sv}",
        "NotifyPointerMotion": "oa{sv}dd",
        "NotifyPointerMotionAbsolute": "oa{sv}udd",
        "NotifyPointerButton": "oa{sv}iu",
        "NotifyPointerAxisDiscrete": "oa{sv}ui",
        "NotifyPointerAxis": "oa{sv}dd",
        "NotifyKeyboardKeysym": "oa{sv}iu",
        "NotifyKeyboardKeycode": "oa{sv}iu",
    },
    "ScreenCast": {"CreateSession": "a{sv}", "SelectSources": "oa{sv}", "Start": "osa{sv}", "OpenPipeWireRemote": "oa{sv}"},
    "Clipboard": {
        "RequestClipboard": "oa{sv}",
        "SetSelection": "oa{sv}",
        "SelectionRead": "os",
        "SelectionWrite": "ou",
        "SelectionWriteDone": "oub",
    },
}
REQUESTS = ("CreateSession", "SelectDevices", "SelectSources", "Start")
PERSON = """<node><interface name="org.example.Person">
<method name="Decide"><arg type="s" direction="in"/></method>
<method name="Revoke"/><method name="Stop"/><method name="Crash"/>
<method name="Paste"><arg type="s" direction="in"/></method>
<method name="Log"><arg type="as" direction="out"/></method>
</interface></node>"""

tokens = set()
sessions = {}
waiting = []
log = []
state = {"decision": "grant", "devices": 3, "text": ""}
loop = GLib.MainLoop()


def xml_of(name, methods):
    outs = {"OpenPipeWireRemote": "h", "SelectionRead": "h", "SelectionWrite": "h"}
    text = ""
    for member, signature in methods.items():
        text += f'<method name="{member}">'
        for each in GLib.VariantType.new(f"({signature})").dup_string()[1:-1].replace("a{sv}", "A"):
            text += f'<arg type="{"a{sv}" if each == "A" else each}" direction="in"/>'
        out = "o" if member in REQUESTS else outs.get(member)
        text += f'<arg type="{out}" direction="out"/></method>' if out else "</method>"
    return f'<node><interface name="{PORTAL}{name}">{text}<property name="version" type="u" access="read"/><property name="AvailableCursorModes" type="u" access="read"/></interface></node>'


def answer(bus, sender, handle, code, results):
    bus.emit_signal(sender, handle, PORTAL + "Request", "Response", GLib.Variant("(ua{sv})", (code, results)))
    return False


def end_session(bus, path):
    session = sessions.pop(path, None)
    if session and "mutter" in session:
        session["mutter"].send("Stop")
    if session:
        bus.unregister_object(session["id"])


def request(bus, sender, name, member, values, invocation):
    options = values[-1]
    base = sender[1:].replace(".", "_")
    handle = f"{ROOT}/request/{base}/{options['handle_token']}"
    invocation.return_value(GLib.Variant("(o)", (handle,)))
    if member == "CreateSession":
        path = f"{ROOT}/session/{base}/{options['session_handle_token']}"
        xml = f'<node><interface name="{PORTAL}Session"><method name="Close"/></interface></node>'

        def on_session(_bus, _sender, _path, _name, _member, _values, close):
            log.append("session closed")
            end_session(bus, path)
            close.return_value(None)

        info = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
        sessions[path] = {"id": bus.register_object(path, info, on_session, None, None), "owner": sender, "kind": name, "path": path}
        GLib.idle_add(answer, bus, sender, handle, 0, {"session_handle": GLib.Variant("s", path)})
        return
    session = sessions[values[0]]
    if member == "SelectSources" and session["kind"] == "RemoteDesktop" and "persist_mode" in options:
        GLib.idle_add(answer, bus, sender, handle, 2, {})  # as the real one
        return
    if member != "Start":
        session.update(options)
        log.append(f"{member} {json.dumps(options, sort_keys=True)}")
        GLib.idle_add(answer, bus, sender, handle, 0, {})
        return
    if session.get("restore_token") in tokens:
        tokens.discard(session["restore_token"])
        decide(bus, sender, handle, session, "grant")
        return
    log.append("dialogue")
    xml = f'<node><interface name="{PORTAL}Request"><method name="Close"/></interface></node>'
    entry = {}

    def on_request(_bus, _sender, _path, _name, _member, _values, close):
        log.append("dialogue closed")
        waiting.remove(entry)
        bus.unregister_object(entry["id"])
        close.return_value(None)

    info = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
    entry["id"] = bus.register_object(handle, info, on_request, None, None)
    entry["decide"] = lambda decision: (bus.unregister_object(entry["id"]), decide(bus, sender, handle, session, decision))
    waiting.append(entry)
    flush()


def flush():
    if state["decision"] == "wait":
        return
    while waiting:
        waiting.pop(0)["decide"](state["decision"])


def follow_mutter(bus, path, session):
    def transfer(mime, serial):
        args = GLib.Variant("(osu)", (path, mime, serial))
        bus.emit_signal(session["owner"], ROOT, PORTAL + "Clipboard", "SelectionTransfer", args)

    def owner(options):
        told = {
            "mime_types": GLib.Variant("(as)", options.get("mime-types", ([],))),
            "session_is_owner": GLib.Variant("b", options.get("session-is-owner", False)),
        }
        args = GLib.Variant("(oa{sv})", (path, told))
        bus.emit_signal(session["owner"], ROOT, PORTAL + "Clipboard", "SelectionOwnerChanged", args)

    session["mutter"] = MutterSession(bus, session.get("clipboard", False), transfer, owner)
    return session["mutter"].node


def decide(bus, sender, handle, session, decision):
    if decision != "grant":
        GLib.idle_add(answer, bus, sender, handle, 1 if decision == "refuse" else 2, {})
        return
    stream = {"position": GLib.Variant("(ii)", (0, 0)), "size": GLib.Variant("(ii)", (1280, 800))}
    node = follow_mutter(bus, session["path"], session) if IS_REAL else 42
    results = {"streams": GLib.Variant("a(ua{sv})", [(node, stream)])}
    if session["kind"] == "RemoteDesktop":
        results["devices"] = GLib.Variant("u", state["devices"])
        results["clipboard_enabled"] = GLib.Variant("b", VERSIONS["Clipboard"] > 0)
    if session.get("persist_mode") == 2 and state.get("remember", True):
        token = f"token-{len(log)}-{len(tokens)}"
        tokens.add(token)
        results["restore_token"] = GLib.Variant("s", token)
    GLib.idle_add(answer, bus, sender, handle, 0, results)


def real_clipboard(session, member, values, invocation):
    if member == "RequestClipboard":
        session["clipboard"] = True
        invocation.return_value(None)
    elif member == "SetSelection":
        session["mutter"].set_selection(values[1].get("mime_types", []))
        invocation.return_value(None)
    elif member == "SelectionWriteDone":
        session["mutter"].send(member, GLib.Variant("(ub)", values[1:]))
        invocation.return_value(None)
    else:
        form = "(s)" if member == "SelectionRead" else "(u)"
        file = session["mutter"].open_file(member, GLib.Variant(form, values[1:]))
        return_file(invocation, file)


def return_file(invocation, file):
    invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), Gio.UnixFDList.new_from_array([file]))


def clipboard(bus, sender, member, values, invocation):
    if IS_REAL:
        real_clipboard(sessions[values[0]], member, values, invocation)
    elif member == "SetSelection":
        log.append(f"SetSelection {json.dumps(values[1], sort_keys=True)}")
        invocation.return_value(None)
    elif member == "SelectionRead":
        reading, writing = os.pipe()
        os.write(writing, state["text"].encode())
        os.close(writing)
        return_file(invocation, reading)
    elif member == "SelectionWrite":
        reading, writing = os.pipe()
        return_file(invocation, writing)
        GLib.io_add_watch(reading, GLib.IO_IN | GLib.IO_HUP, lambda fd, _: take_paste(fd))
    else:
        invocation.return_value(None)


def take_paste(fd):
    data = os.read(fd, 65536)
    if data:
        log.append(f"pasted {data.decode()}")
        return True
    os.close(fd)
    return False


def on_call(bus, sender, path, interface, member, parameters, invocation):
    name = interface.rsplit(".", 1)[1]
    values = parameters.unpack()
    if member in REQUESTS:
        request(bus, sender, name, member, values, invocation)
    elif name == "Clipboard":
        clipboard(bus, sender, member, values, invocation)
    elif member == "OpenPipeWireRemote" and IS_REAL:
        return_file(invocation, connect_pipewire())
    elif member == "OpenPipeWireRemote":
        invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", "no PipeWire here")
    elif values[0] not in sessions:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "Invalid session")
    elif IS_REAL:
        sessions[values[0]]["mutter"].notify(member, values[2:])
        invocation.return_value(None)
    else:
        # the real one handles each call in a thread of its own, so a later one can be the first
        state["calls"] = state.get("calls", 0) + 1
        GLib.timeout_add(20 if state["calls"] % 2 else 0, note_input, member, values[2:], invocation)


def note_input(member, values, invocation):
    log.append(" ".join([member] + [json.dumps(each) for each in values]))
    invocation.return_value(None)
    return False


def on_person(bus, sender, path, interface, member, parameters, invocation):
    if member == "Decide":
        state.update(json.loads(parameters[0]))
        flush()
    elif member == "Revoke":
        tokens.clear()
    elif member == "Stop":
        for handle, session in list(sessions.items()):
            end_session(bus, handle)
            bus.emit_signal(session["owner"], handle, PORTAL + "Session", "Closed", GLib.Variant("(a{sv})", ({},)))
    elif member == "Paste":
        for handle, session in sessions.items():
            args = GLib.Variant("(osu)", (handle, parameters[0], 7))
            bus.emit_signal(session["owner"], ROOT, PORTAL + "Clipboard", "SelectionTransfer", args)
    elif member == "Log":
        invocation.return_value(GLib.Variant("(as)", (log,)))
        return
    elif member == "Crash":
        os._exit(0)
    invocation.return_value(None)


def on_bus(bus, name):
    for interface, methods in METHODS.items():
        if VERSIONS[interface] > 0:
            info = Gio.DBusNodeInfo.new_for_xml(xml_of(interface, methods)).interfaces[0]
            values = {"version": GLib.Variant("u", VERSIONS[interface]), "AvailableCursorModes": GLib.Variant("u", 7)}
            bus.register_object(ROOT, info, on_call, lambda *args, values=values: values[args[4]], None)
    bus.register_object("/person", Gio.DBusNodeInfo.new_for_xml(PERSON).interfaces[0], on_person, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION, PORTAL + "Desktop", 0, on_bus, lambda *_: print("ready", flush=True), lambda *_: sys.exit(1)
)
loop.run()
