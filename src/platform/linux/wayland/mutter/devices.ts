/** Mouse and keyboard of a GNOME desktop, by Mutter's remote desktop; all monitors share them. */

import type { Config } from "../../../../config/config.ts";
import { poll } from "../../../../core/deadline.ts";
import { available } from "../../../capability.ts";
import type { Input } from "../../../types/mod.ts";
import type { MessageBus } from "../../bus/types.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { BusClipboard, selectionCalls } from "../bus_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { GnomeLayout } from "../input/active_layout.ts";
import { LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import { AXES, type Axis } from "../input/mouse.ts";
import { type CursorSource, PointerPosition } from "../pointer_position.ts";
import { Seat } from "../seat.ts";
import { awaitListeners } from "../unread_bytes.ts";
import type { MutterSession, SharedMonitor } from "./session.ts";

interface DevicesOptions {
  readonly bus: MessageBus;
  readonly client: WaylandClient;
  readonly session: MutterSession;
  readonly config: Pick<Config, "clipboardTyping">;
}

/** `linux/input-event-codes.h` */
const LEFT_SHIFT = 42;
const CAPS_LOCK = 58;

export class MutterDevices extends LayoutDevices {
  private constructor(
    private readonly session: MutterSession,
    private readonly capsLock: MutterCapsLock,
    options: Pick<LayoutKeyboardOptions, "layout" | "clipboard" | "clipboardTyping" | "socket">,
  ) {
    super({ ...options, driver: "mutter", compositor: "GNOME" });
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

  protected sendKey(keycode: number, isDown: boolean): void {
    if (keycode === CAPS_LOCK && isDown) this.capsLock.notePress();
    this.session.send("NotifyKeyboardKeycode", "ub", [keycode, isDown]);
  }

  protected sendButton(code: number, isDown: boolean): void {
    this.session.send("NotifyPointerButton", "ib", [code, isDown]);
  }

  protected sendTurn(axis: Axis, notches: number): void {
    this.session.send("NotifyPointerAxisDiscrete", "ui", [AXES[axis], notches]);
  }

  /** Answers come in the order of the calls. */
  protected async confirmSent(): Promise<void> {
    await this.session.property("SessionId");
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
