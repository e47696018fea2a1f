"""What the portal of the tests does with a real GNOME desktop: the sessions of Mutter behind those of the portal."""
import os
import socket
from gi.repository import Gio, GLib

REMOTE = "org.gnome.Mutter.RemoteDesktop"
CAST = "org.gnome.Mutter.ScreenCast"
CONFIG = "org.gnome.Mutter.DisplayConfig"
CURSOR_METADATA = 2


class MutterSession:
    def __init__(self, bus, has_clipboard, on_transfer, on_owner):
        self.bus = bus
        self.path = self.call(REMOTE, "/org/gnome/Mutter/RemoteDesktop", REMOTE, "CreateSession")[0]
        session_id = self.call(
            REMOTE,
            self.path,
            "org.freedesktop.DBus.Properties",
            "Get",
            GLib.Variant("(ss)", (REMOTE + ".Session", "SessionId")),
        )[0]
        options = {"remote-desktop-session-id": GLib.Variant("s", session_id)}
        cast = self.call(CAST, "/org/gnome/Mutter/ScreenCast", CAST, "CreateSession", GLib.Variant("(a{sv})", (options,)))[0]
        state = self.call(CONFIG, "/org/gnome/Mutter/DisplayConfig", CONFIG, "GetCurrentState")
        record = GLib.Variant("(sa{sv})", (state[1][0][0][0], {"cursor-mode": GLib.Variant("u", CURSOR_METADATA)}))
        self.stream = self.call(CAST, cast, CAST + ".Session", "RecordMonitor", record)[0]
        self.node = None
        self.on(CAST, self.stream, "PipeWireStreamAdded", lambda values: setattr(self, "node", values[0]))
        self.on(REMOTE, self.path, "SelectionTransfer", lambda values: on_transfer(*values))
        self.on(REMOTE, self.path, "SelectionOwnerChanged", lambda values: on_owner(values[0]))
        self.send("Start")
        while self.node is None:
            GLib.MainContext.default().iteration(True)
        if has_clipboard:
            self.send("EnableClipboard", GLib.Variant("(a{sv})", ({},)))

    def call(self, name, path, interface, member, values=None):
        return self.bus.call_sync(name, path, interface, member, values, None, 0, 5000, None).unpack()

    def send(self, member, values=None):
        self.call(REMOTE, self.path, REMOTE + ".Session", member, values)

    def open_file(self, member, values):
        reply, files = self.bus.call_with_unix_fd_list_sync(
            REMOTE, self.path, REMOTE + ".Session", member, values, None, 0, 5000, None, None
        )
        return files.get(reply.unpack()[0])

    def on(self, name, path, member, listener):
        self.bus.signal_subscribe(name, None, member, path, None, 0, lambda *args: listener(args[5].unpack()))

    def notify(self, member, values):
        if member == "NotifyPointerMotion":
            self.send("NotifyPointerMotionRelative", GLib.Variant("(dd)", values))
        elif member == "NotifyPointerMotionAbsolute":
            self.send(member, GLib.Variant("(sdd)", (self.stream, *values[1:])))
        elif member == "NotifyPointerButton":
            self.send(member, GLib.Variant("(ib)", (values[0], values[1] == 1)))
        elif member == "NotifyPointerAxisDiscrete":
            self.send(member, GLib.Variant("(ui)", values))
        else:
            self.send(member, GLib.Variant("(ub)", (values[0], values[1] == 1)))

    def set_selection(self, types):
        options = {"mime-types": GLib.Variant("as", types)} if types else {}
        self.send("SetSelection", GLib.Variant("(a{sv})", (options,)))


def connect_pipewire():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["XDG_RUNTIME_DIR"] + "/pipewire-0")
    return connection.detach()
