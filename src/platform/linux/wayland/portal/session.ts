/** The monitors that a person shares by the desktop portal: as displays. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../capability.ts";
import type { Capability } from "../../../types/mod.ts";
import { type MessageBus, onlyFile } from "../../bus/types.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandContext, WaylandSession } from "../backend.ts";
import { BusClipboard, selectionCalls } from "../bus_clipboard.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { openDataClipboard } from "../data_control.ts";
import { createStreamedDisplay } from "../display.ts";
import { type ActiveLayout, GnomeLayout, KdeLayout } from "../input/active_layout.ts";
import { Seat } from "../seat.ts";
import type { PortalDesktop } from "./desktop.ts";
import { MonitorPointer, PortalDevices } from "./input.ts";
import { Notifications } from "./notifications.ts";
import { CLIPBOARD, PORTAL, SCREEN_CAST } from "./versions.ts";

const NO_WINDOWS =
  "The desktop portal has no interface for windows: use accessibility/snapshot to read their content";

/** @param desktop belongs to the session from now on, also when this fails */
export async function openPortalWayland(
  desktop: PortalDesktop,
  { compositor, config }: WaylandContext,
): Promise<WaylandSession> {
  using opening = new DisposableStack();
  opening.use(desktop);
  const client = opening.use(
    await WaylandClient.open(compositor.path, { openTimeoutMs: KWIN_OPEN_TIMEOUT_MS }),
  );
  const { bus, control } = desktop;
  const layout = await openLayout(client, bus);
  const clipboard = await openClipboard(client, desktop);
  const devices = new PortalDevices(new Notifications(bus, control), {
    layout,
    clipboard,
    clipboardTyping: config.clipboardTyping,
    socket: compositor.path,
  });
  control.onSession(() => devices.wake());
  // from left to right: the portal does not report which one is the primary
  const monitors = desktop.pictures.monitors.toSorted((a, b) =>
    a.position.x - b.position.x || a.position.y - b.position.y
  );
  const isConnected = () => desktop.connected && client.connected;
  const opened = opening.move();
  return {
    get connected() {
      return isConnected();
    },
    numbers: () => monitors.map((_, index) => index + 1),
    async openDisplay(displayNum, name) {
      const monitor = monitors[displayNum - 1];
      if (monitor === undefined) throw notShared(displayNum, monitors.length);
      const file = await openPipeWireRemote(desktop);
      const stream = await openPipeWireStream({ node: monitor.node, file });
      const pointer = new MonitorPointer(monitor, stream);
      return createStreamedDisplay({
        displayNum,
        name,
        stream,
        desktop: "The desktop portal",
        input: devices.inputOf(pointer),
        clipboard,
        windows: missing(NO_WINDOWS),
        output: () => ({
          name: `monitor ${displayNum}`,
          scale: stream.size.width / pointer.logicalSize.width,
        }),
        isConnected,
      });
    },
    [Symbol.asyncDispose]() {
      opened.dispose();
      return Promise.resolve();
    },
  };
}

/** A connection to PipeWire that reaches the shared monitors alone. */
async function openPipeWireRemote({ bus, pictures }: PortalDesktop): Promise<number> {
  const reply = await bus.call({
    ...PORTAL,
    interface: SCREEN_CAST,
    member: "OpenPipeWireRemote",
    signature: "oa{sv}",
    body: [pictures.handle, []],
  });
  return onlyFile(reply, "The desktop portal");
}

function notShared(displayNum: number, count: number): ServiceError {
  const shared = count === 1 ? "one monitor is shared" : `${count} monitors are shared`;
  return new ServiceError(
    "unavailable",
    `Cannot open display ${displayNum}: ${shared} with this service; computer-control grant portal ` +
      "lets you choose others",
  );
}

// The keyboard layout of whatever desktop the portal belongs to.

/** Plasma reports which layout is active by interfaces of its own. */
async function openLayout(client: WaylandClient, bus: MessageBus): Promise<ActiveLayout> {
  if (client.globals.find("org_kde_kwin_keystate") === undefined) {
    return await GnomeLayout.open(client, bus);
  }
  return await KdeLayout.open(client, await Seat.open(client), bus);
}

/** The clipboard of the desktop, by its portal or by its compositor. */
async function openClipboard(
  client: WaylandClient,
  { bus, pictures }: PortalDesktop,
): Promise<Capability<LinuxClipboard>> {
  if (pictures.hasClipboard) {
    const typed = await openPortalClipboard(bus, pictures.handle);
    return available(new LinuxClipboard(() => Promise.resolve(typed)));
  }
  const clipboard = await openDataClipboard(client, client.bind("wl_seat", 5));
  if (clipboard.ready) return clipboard;
  return missing(
    "This desktop's portal has no clipboard: it needs org.freedesktop.portal.Clipboard (GNOME 45)",
  );
}

// The Clipboard portal, for sessions that may use it.
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Clipboard.html

/** @param handle of a session that has the clipboard */
function openPortalClipboard(bus: MessageBus, handle: string): Promise<BusClipboard> {
  return BusClipboard.open(selectionCalls({
    name: "The desktop portal",
    options: { types: "mime_types", isOwner: "session_is_owner" },
    isOpen: () => bus.connected,
    call: (member, signature, body) =>
      bus.call({
        ...PORTAL,
        interface: CLIPBOARD,
        member,
        signature: `o${signature}`,
        body: [handle, ...body],
      }),
    async on(member, listener) {
      await bus.on({ interface: CLIPBOARD, member }, ({ body: [session, ...body] }) => {
        if (session === handle) listener(body);
      });
    },
  }));
}
