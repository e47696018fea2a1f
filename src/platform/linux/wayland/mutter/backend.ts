/**
 * GNOME by the interface of Mutter's own remote desktop: asks nobody, for machines without a person.
 * It is private, so another version of GNOME can change it; `--wayland-backend mutter` asks for it.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../capability.ts";
import { BusError, type MessageBus, sessionBusAddress } from "../../bus/types.ts";
import { openBus } from "../../bus/message_bus.ts";
import { connectPipeWire } from "../../pipewire/open_screen.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { WaylandClient } from "../client.ts";
import { createStreamedDisplay, type WaylandDisplay } from "../display.ts";
import { MutterDevices } from "./devices.ts";
import { type Monitor, MutterSession, readMonitors, SERVICES } from "./session.ts";

export const MUTTER: WaylandBackend = {
  name: "mutter",
  matches: (_host, { waylandBackend }) => waylandBackend === "mutter",
  reason: "as --wayland-backend asks",
  async open(context: WaylandContext) {
    const { host } = context;
    let address: string;
    try {
      address = sessionBusAddress(host);
    } catch (error) {
      return missing((error as ServiceError).message);
    }
    const bus = await openBus(address, { lateCode: "unavailable" });
    try {
      return available(await MutterDesktop.open(bus, context));
    } catch (error) {
      bus[Symbol.dispose]();
      if (!(error instanceof BusError)) throw error;
      if (error.isServiceMissing) return missing(NOT_GNOME);
      if (error.errorName === ACCESS_DENIED) throw refused(error);
      throw error;
    }
  },
};

const NOT_GNOME =
  "no program on the session bus is org.gnome.Mutter.RemoteDesktop, so this is not GNOME";
const ACCESS_DENIED = "org.freedesktop.DBus.Error.AccessDenied";

/** GNOME does so while its screen is locked. */
function refused(cause: BusError): ServiceError {
  const text = "GNOME refuses control now, for example because the screen is locked: unlock it";
  return new ServiceError("unavailable", text, { cause });
}

const NO_WINDOWS =
  "GNOME does not let other programs list or move windows (org.gnome.Shell.Introspect replies only to " +
  "its own services): use accessibility/snapshot to read their content";

// A GNOME desktop under control: one session for all input, and one display per monitor.

class MutterDesktop implements WaylandSession {
  /** Whether monitors have come, gone or changed their scale, for which a new session is needed. */
  #isOutdated = false;

  private constructor(
    private readonly context: WaylandContext,
    private readonly bus: MessageBus,
    private readonly session: MutterSession,
    private readonly devices: MutterDevices,
    private readonly parts: AsyncDisposableStack,
  ) {}

  /**
   * @param bus which then belongs to the desktop
   * @throws ServiceError; BusError when there is no GNOME on the bus
   */
  static async open(bus: MessageBus, context: WaylandContext): Promise<MutterDesktop> {
    await using opening = new AsyncDisposableStack();
    const { path, name } = context.compositor;
    const client = opening.use(await WaylandClient.open(path, { name }));
    const session = opening.use(await MutterSession.open(bus));
    const devices = await MutterDevices.open({ bus, client, session, config: context.config });
    const parts = opening.move();
    const desktop = new MutterDesktop(context, bus, session, devices, parts);
    await desktop.#followMonitors();
    client.closed.then(() => desktop.#isOutdated = true);
    return desktop;
  }

  get connected(): boolean {
    return this.bus.connected && !this.session.isOver && !this.#isOutdated;
  }

  numbers(): readonly number[] {
    return this.session.monitors.map((_, index) => index + 1);
  }

  async openDisplay(displayNum: number, name: string): Promise<WaylandDisplay> {
    const monitor = this.session.monitors[displayNum - 1];
    if (monitor === undefined) {
      const count = this.session.monitors.length;
      const has = count === 1 ? "the desktop has one monitor" : `the desktop has ${count} monitors`;
      throw new ServiceError("unavailable", `Cannot open display ${displayNum}: ${has}`);
    }
    const file = connectPipeWire(this.context.host);
    const stream = await openPipeWireStream({ node: monitor.node, file });
    return createStreamedDisplay({
      displayNum,
      name,
      stream,
      desktop: "GNOME",
      input: this.devices.inputOf(monitor, stream),
      clipboard: this.devices.clipboard,
      windows: missing(NO_WINDOWS),
      output: () => ({ name: monitor.name, scale: monitor.scale }),
      isConnected: () => this.connected,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOutdated = true;
    await this.parts[Symbol.asyncDispose]();
    this.bus[Symbol.dispose]();
  }

  /** A monitor that changes its size keeps its stream; one that comes has none. */
  async #followMonitors(): Promise<void> {
    const describe = (monitors: readonly Monitor[]) =>
      monitors.map(({ name, scale }) => `${name} ${scale}`).join();
    const before = describe(this.session.monitors);
    const match = { interface: SERVICES.displayConfig.interface, member: "MonitorsChanged" };
    this.parts.use(
      await this.bus.on(match, async () => {
        const now = await readMonitors(this.bus).then(describe, () => "");
        if (now !== before) this.#isOutdated = true;
      }),
    );
  }
}
