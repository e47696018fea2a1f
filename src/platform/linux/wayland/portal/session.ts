/** The monitors that a person shares by the desktop portal: as displays. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Port } from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandContext, WaylandDisplay, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { UnreadBytesReader } from "../unread_bytes.ts";
import { StreamedDisplay } from "../streamed_display.ts";
import type { PortalDesktop } from "./desktop.ts";
import { openLayout } from "./layout.ts";
import { PortalDevices } from "./input.ts";
import { MonitorPointer } from "./monitor_pointer.ts";
import { PORTAL, SCREEN_CAST } from "./names.ts";
import { Notifications } from "./notifications.ts";
import type { SharedMonitor } from "./open_session.ts";
import { makePaste, openClipboard } from "./paste.ts";

const DESKTOP = "The desktop portal";

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
  const notifications = new Notifications(bus, control);
  const devices: PortalDevices = new PortalDevices({
    notifications,
    layout,
    unread: new UnreadBytesReader(compositor.path.split("/").at(-1)!),
    paste: makePaste({
      clipboard,
      isAllowed: config.clipboardTyping,
      press: () => devices.pressPaste(),
    }),
  });
  control.onSession(() => devices.wake());
  return new PortalWayland({ desktop, client, devices, clipboard, opened: opening.move() });
}

interface Parts {
  readonly desktop: PortalDesktop;
  readonly client: WaylandClient;
  readonly devices: PortalDevices;
  readonly clipboard: Port<LinuxClipboard>;
  readonly opened: DisposableStack;
}

class PortalWayland implements WaylandSession {
  /** From left to right: the portal does not tell which one is the primary. */
  readonly #monitors: readonly SharedMonitor[];

  constructor(private readonly parts: Parts) {
    this.#monitors = parts.desktop.pictures.monitors.toSorted((a, b) =>
      a.position.x - b.position.x || a.position.y - b.position.y
    );
  }

  get connected(): boolean {
    return this.parts.desktop.connected && this.parts.client.connected;
  }

  numbers(): readonly number[] {
    return this.#monitors.map((_, index) => index + 1);
  }

  async openDisplay(displayNum: number, name: string): Promise<WaylandDisplay> {
    const { devices, clipboard } = this.parts;
    const monitor = this.#monitors[displayNum - 1];
    if (monitor === undefined) throw notShared(displayNum, this.#monitors.length);
    const stream = await openPipeWireStream({ node: monitor.node, file: await this.#openFile() });
    const pointer = new MonitorPointer(monitor, stream);
    return new StreamedDisplay({
      ...{ displayNum, name, stream, desktop: DESKTOP },
      input: devices.makeInput(pointer),
      clipboard,
      monitor: `monitor ${displayNum}`,
      logicalWidth: () => pointer.logicalSize.width,
      isConnected: () => this.connected,
    });
  }

  /** The desktop releases what its session holds down, too; this does it where that is missing. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.connected) await this.parts.devices.releaseAll().catch(() => {}); // it has just ended
    this.parts.opened.dispose();
  }

  /** A connection to PipeWire that reaches the shared monitors alone. */
  async #openFile(): Promise<number> {
    const { bus, pictures } = this.parts.desktop;
    const { files: [file] } = await bus.call({
      ...PORTAL,
      interface: SCREEN_CAST,
      member: "OpenPipeWireRemote",
      signature: "oa{sv}",
      body: [pictures.handle, []],
    });
    if (file !== undefined) return file;
    throw new ServiceError("unavailable", "The desktop portal has sent no descriptor of PipeWire");
  }
}

function notShared(displayNum: number, count: number): ServiceError {
  const shared = count === 1 ? "one monitor is shared" : `${count} monitors are shared`;
  return new ServiceError(
    "unavailable",
    `Cannot open display ${displayNum}: ${shared} with this service; computer-control grant portal ` +
      "lets the person choose others",
  );
}
