/**
 * GNOME by the interface of Mutter's own remote desktop: asks nobody, for machines without a person.
 * It is private, so another version of GNOME can change it; `--wayland-backend mutter` asks for it.
 */

import type { Config } from "../../../../config/config.ts";
import { poll } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../capability.ts";
import type { Input } from "../../../types/mod.ts";
import { BusError, type MessageBus, sessionBusAddress } from "../../bus/types.ts";
import { openBus } from "../../bus/message_bus.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { connectPipeWire } from "../../pipewire/open_screen.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { WaylandClient } from "../client.ts";
import { BusClipboard, selectionCalls } from "../clipboards.ts";
import { createStreamedDisplay } from "../display.ts";
import { GnomeLayout } from "../input/active_layout.ts";
import { LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import { AXES } from "../input/mouse.ts";
import { type CursorSource, PointerPosition } from "../pointer_position.ts";
import { Seat } from "../seat.ts";
import { awaitListeners } from "../unread_bytes.ts";
import {
  type Monitor,
  MutterSession,
  readMonitors,
  SERVICES,
  type SharedMonitor,
} from "./session.ts";

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

// Mouse and keyboard of a GNOME desktop, by Mutter's remote desktop; all monitors share them.

interface DevicesOptions {
  readonly bus: MessageBus;
  readonly client: WaylandClient;
  readonly session: MutterSession;
  readonly config: Pick<Config, "clipboardTyping">;
}

/** `linux/input-event-codes.h` */
const LEFT_SHIFT = 42;
const CAPS_LOCK = 58;

class MutterDevices extends LayoutDevices {
  private constructor(
    private readonly session: MutterSession,
    capsLock: MutterCapsLock,
    options: Pick<LayoutKeyboardOptions, "layout" | "clipboard" | "clipboardTyping" | "socket">,
  ) {
    super({
      ...options,
      driver: "mutter",
      compositor: "GNOME",
      sender: {
        key(keycode, isDown) {
          if (keycode === CAPS_LOCK && isDown) capsLock.notePress();
          session.send("NotifyKeyboardKeycode", "ub", [keycode, isDown]);
        },
        button: (code, isDown) => session.send("NotifyPointerButton", "ib", [code, isDown]),
        turn: (axis, notches) =>
          session.send("NotifyPointerAxisDiscrete", "ui", [AXES[axis], notches]),
        /** Answers come in the order of the calls. */
        confirm: async () => void await session.property("SessionId"),
      },
    });
  }

  /** @throws ServiceError `unavailable` */
  static async open({ bus, client, session, config }: DevicesOptions): Promise<MutterDevices> {
    await attachDevices(client, session);
    const capsLock = new MutterCapsLock(session);
    const layout = await GnomeLayout.open(client, bus, () => capsLock.read());
    const opened = await openMutterClipboard(session);
    return new MutterDevices(session, capsLock, {
      layout,
      clipboard: available(new LinuxClipboard(() => Promise.resolve(opened))),
      clipboardTyping: config.clipboardTyping,
      socket: client.path,
    });
  }

  /** The devices of a display: they differ in where the mouse moves. */
  inputOf({ stream }: SharedMonitor, pictures: CursorSource): Input {
    const pointer = new PointerPosition(pictures);
    return this.makeInput({
      move: (to) => {
        pointer.move(to);
        this.session.send("NotifyPointerMotionAbsolute", "sdd", [stream, to.x, to.y]);
      },
      position: () => pointer.read(),
    });
  }
}

/**
 * The session attaches its keyboard and its pointer with their first events. On a seat that had none,
 * programs begin to listen only then, and would miss what comes at once.
 */
async function attachDevices(client: WaylandClient, session: MutterSession): Promise<void> {
  const seat = await Seat.open(client);
  const hadKeyboard = seat.hasKeyboard;
  session.send("NotifyPointerMotionRelative", "dd", [0, 0]);
  for (const isDown of [true, false]) {
    session.send("NotifyKeyboardKeycode", "ub", [LEFT_SHIFT, isDown]);
  }
  await session.property("SessionId");
  if (!hadKeyboard) await awaitListeners(client.path);
}

/** How long Mutter may take to report Caps Lock after a key of ours; it may have another function. */
const CAPS_LOCK_TIMEOUT_MS = 1_000;

/** Caps Lock of a session: Mutter reports it some time after it has taken the key. */
export class MutterCapsLock {
  #isOn = false;
  /** What our own presses have made of it since it was read. */
  #expected: boolean | undefined;

  constructor(
    private readonly session: Pick<MutterSession, "property">,
    private readonly timeoutMs = CAPS_LOCK_TIMEOUT_MS,
  ) {}

  notePress(): void {
    this.#expected = !(this.#expected ?? this.#isOn);
  }

  /** Whether it is on; waits until our own presses are reported. */
  async read(): Promise<boolean> {
    const expected = this.#expected;
    this.#expected = undefined;
    const { timeoutMs } = this;
    await poll(async () => {
      this.#isOn = await this.session.property("CapsLockState") === true;
      return expected === undefined || this.#isOn === expected;
    }, { everyMs: 5, timeoutMs });
    return this.#isOn;
  }
}

// The clipboard of a GNOME session, by Mutter's remote desktop.

async function openMutterClipboard(session: MutterSession): Promise<BusClipboard> {
  const clipboard = await BusClipboard.open(selectionCalls({
    name: "GNOME",
    options: { types: "mime-types", isOwner: "session-is-owner" },
    isOpen: () => !session.isOver,
    call: (...call) => session.call(...call),
    on: (...signal) => session.on(...signal),
  }));
  await session.call("EnableClipboard", "a{sv}", [[]]);
  return clipboard;
}
