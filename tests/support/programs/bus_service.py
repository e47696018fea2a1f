#!/usr/bin/python3
"""A service on the session bus, for tests of the client: echoes values, passes descriptors, goes away."""
import os
import sys
from gi.repository import Gio, GLib

XML = """<node><interface name="org.example.Echo">
<method name="Echo"><arg type="v" direction="in"/><arg type="v" direction="out"/></method>
<method name="MakePipe"><arg type="s" direction="in"/><arg type="h" direction="out"/><arg type="a{sv}" direction="out"/></method>
<method name="ReadFile"><arg type="h" direction="in"/><arg type="s" direction="out"/></method>
<method name="Fail"/><method name="FailAtLength"/><method name="Silent"/><method name="Exit"/>
<method name="Shout"><arg type="u" direction="in"/></method>
<method name="Count"><arg type="u" direction="out"/></method>
<method name="Noise"/>
<signal name="Shouted"><arg type="u"/><arg type="a{sv}"/></signal>
</interface></node>"""
noises = 0


def on_call(bus, sender, path, interface, method, parameters, invocation):
    global noises
    if method == "Echo":
        invocation.return_value(parameters)
    elif method == "MakePipe":
        reading, writing = os.pipe()
        os.write(writing, parameters[0].encode())
        os.close(writing)
        files = Gio.UnixFDList.new_from_array([reading])
        answer = GLib.Variant("(ha{sv})", (0, {"same": GLib.Variant("h", 0)}))
        invocation.return_value_with_unix_fd_list(answer, files)
    elif method == "ReadFile":
        file = invocation.get_message().get_unix_fd_list().get(parameters[0])
        with os.fdopen(file, "r") as stream:
            invocation.return_value(GLib.Variant("(s)", (stream.read(),)))
    elif method == "Fail":
        invocation.return_dbus_error("org.example.Refused", "not today")
    elif method == "FailAtLength":
        invocation.return_dbus_error("org.example.Refused", "not today " * 1000)
    elif method == "Shout":
        for number in range(parameters[0]):
            values = {"list": GLib.Variant("as", ["a", "é"])}
            bus.emit_signal(None, path, interface, "Shouted", GLib.Variant("(ua{sv})", (number, values)))
        invocation.return_value(None)
    elif method == "Noise":
        noises += 1
        invocation.return_value(None)
    elif method == "Count":
        invocation.return_value(GLib.Variant("(u)", (noises,)))
    elif method == "Exit":
        os._exit(0)


def on_bus(bus, name):
    info = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
    bus.register_object("/org/example", info, on_call, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION, "org.example.Echo", 0, on_bus, lambda *_: print("ready", flush=True), lambda *_: sys.exit(1)
)
GLib.MainLoop().run()
