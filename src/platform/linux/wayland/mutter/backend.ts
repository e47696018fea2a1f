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
import { createStreamedDisplay } from "../display.ts";
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
      return available(await openDesktop(bus, context));
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

/**
 * @param bus which then belongs to the session
 * @throws ServiceError; BusError when there is no GNOME on the bus
 */
async function openDesktop(bus: MessageBus, context: WaylandContext): Promise<WaylandSession> {
  await using opening = new AsyncDisposableStack();
  const { path, name } = context.compositor;
  const client = opening.use(await WaylandClient.open(path, { name }));
  const session = opening.use(await MutterSession.open(bus));
  // when monitors have come, gone or changed their scale, a new session is needed
  let isOutdated = false;
  const outdate = () => void (isOutdated = true);
  opening.use(await onOtherMonitors(bus, session.monitors, outdate));
  client.closed.then(outdate);
  const { config } = context;
  const devices = await MutterDevices.open({ bus, client, session, config });
  const opened = opening.move();
  const isConnected = () => bus.connected && !session.isOver && !isOutdated;
  return {
    get connected() {
      return isConnected();
    },
    numbers: () => session.monitors.map((_, index) => index + 1),
    async openDisplay(displayNum, name) {
      const monitor = session.monitors[displayNum - 1];
      if (monitor === undefined) throw noMonitor(displayNum, session.monitors.length);
      const file = connectPipeWire(context.host);
      const stream = await openPipeWireStream({ node: monitor.node, file });
      return createStreamedDisplay({
        displayNum,
        name,
        stream,
        desktop: "GNOME",
        input: devices.inputOf(monitor, stream),
        clipboard: devices.clipboard,
        windows: missing(NO_WINDOWS),
        output: () => ({ name: monitor.name, scale: monitor.scale }),
        isConnected,
      });
    },
    async [Symbol.asyncDispose]() {
      outdate();
      await opened.disposeAsync();
      bus[Symbol.dispose]();
    },
  };
}

function noMonitor(displayNum: number, count: number): ServiceError {
  const has = count === 1 ? "the desktop has one monitor" : `the desktop has ${count} monitors`;
  return new ServiceError("unavailable", `Cannot open display ${displayNum}: ${has}`);
}

/** A monitor that changes its size keeps its stream; one that comes has none. */
async function onOtherMonitors(
  bus: MessageBus,
  monitors: readonly Monitor[],
  listener: () => void,
): Promise<Disposable> {
  const describe = (monitors: readonly Monitor[]) =>
    monitors.map(({ name, scale }) => `${name} ${scale}`).join();
  const before = describe(monitors);
  const match = { interface: SERVICES.displayConfig.interface, member: "MonitorsChanged" };
  const check = async () => {
    const now = await readMonitors(bus).then(describe, () => "");
    if (now !== before) listener();
  };
  const following = await bus.on(match, check);
  await check(); // they can have changed before that
  return following;
}
