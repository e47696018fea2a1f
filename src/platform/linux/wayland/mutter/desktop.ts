/** A GNOME desktop under control: one session for all input, and one display per monitor. */

import { ServiceError } from "../../../../core/errors.ts";
import type { MessageBus } from "../../bus/types.ts";
import { connectPipeWire } from "../../pipewire/connect.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandContext, WaylandDisplay, WaylandSession } from "../backend.ts";
import { WaylandClient } from "../client.ts";
import { MutterDevices } from "./devices.ts";
import { MutterDisplay } from "./display.ts";
import { type Monitor, readMonitors } from "./monitors.ts";
import { SERVICES } from "./names.ts";
import { MutterSession } from "./session.ts";

export class MutterDesktop implements WaylandSession {
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
    return new MutterDisplay({
      displayNum,
      name,
      monitor,
      stream,
      devices: this.devices,
      desktop: this,
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
