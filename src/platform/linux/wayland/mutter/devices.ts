/** Mouse and keyboard of a GNOME desktop, by Mutter's remote desktop; all monitors share them. */

import type { Config } from "../../../../config/config.ts";
import { pause } from "../../../../core/deadline.ts";
import { available } from "../../../capability.ts";
import type { Available, Button, Input } from "../../../types/mod.ts";
import type { MessageBus } from "../../bus/types.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { BusClipboard, selectionCalls } from "../bus_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { GnomeLayout } from "../input/active_layout.ts";
import { LayoutKeyboard } from "../input/keyboard.ts";
import { InputQueue, WaylandMouse } from "../input/mouse.ts";
import { type CursorSource, PointerPosition } from "../pointer_position.ts";
import { Seat } from "../seat.ts";
import { UnreadBytesReader } from "../unread_bytes.ts";
import type { MutterSession, SharedMonitor } from "./session.ts";

interface DevicesOptions {
  readonly bus: MessageBus;
  readonly client: WaylandClient;
  readonly session: MutterSession;
  readonly config: Pick<Config, "clipboardTyping">;
}

/** `linux/input-event-codes.h` */
const LEFT_SHIFT = 42;
const AXIS = { vertical: 0, horizontal: 1 } as const;
/** How long programs may take to listen to the first keyboard and pointer of a seat. */
const FIRST_DEVICES_MS = 200;

export class MutterDevices {
  readonly #queue = new InputQueue();
  readonly #down = new Set<Button>();
  readonly #keyboard: LayoutKeyboard;

  private constructor(
    private readonly session: MutterSession,
    layout: GnomeLayout,
    readonly clipboard: Available<LinuxClipboard>,
    { clipboardTyping, unread }: { clipboardTyping: boolean; unread: UnreadBytesReader },
  ) {
    this.#keyboard = new LayoutKeyboard({
      compositor: "GNOME",
      layout,
      clipboard,
      clipboardTyping,
      unread,
      send: (keycode, isDown) => this.#send("NotifyKeyboardKeycode", "ub", [keycode, isDown]),
      confirm: () => this.confirm(),
    });
  }

  /** @throws ServiceError `unavailable` */
  static async open({ bus, client, session, config }: DevicesOptions): Promise<MutterDevices> {
    await attachDevices(client, session);
    const readCapsLock = async () => await session.property("CapsLockState") === true;
    const layout = await GnomeLayout.open(client, bus, readCapsLock);
    const opened = await openMutterClipboard(session);
    const clipboard = available(new LinuxClipboard(() => Promise.resolve(opened)));
    return new MutterDevices(session, layout, clipboard, {
      clipboardTyping: config.clipboardTyping,
      unread: new UnreadBytesReader(client.name.split("/").at(-1)!),
    });
  }

  /** The devices of a display: they differ in where the mouse moves. */
  makeInput(monitor: SharedMonitor, pictures: CursorSource): Input {
    const pointer = new PointerPosition(pictures);
    const mouse = new WaylandMouse({
      down: this.#down,
      calls: {
        move: (to) =>
          this.#queue.add(() => {
            pointer.move(to);
            const { stream } = monitor;
            this.session.send("NotifyPointerMotionAbsolute", "sdd", [stream, to.x, to.y]);
          }),
        button: (code, isDown, delayMs) =>
          this.#send("NotifyPointerButton", "ib", [code, isDown], delayMs),
        turn: (axis, notches) =>
          this.#send("NotifyPointerAxisDiscrete", "ui", [AXIS[axis], notches]),
      },
      position: () => pointer.read(),
    });
    const keyboard: Available<LayoutKeyboard> = available(this.#keyboard);
    return {
      driver: "mutter",
      mouse,
      keyboard,
      confirm: () => this.confirm(),
      releaseAll: async () => {
        this.#keyboard.releaseAll();
        mouse.releaseAll();
        await this.confirm();
      },
    };
  }

  /** Answers come in the order of the calls. */
  async confirm(): Promise<void> {
    await this.#queue.sent();
    await this.session.property("SessionId");
  }

  #send(member: string, signature: string, body: readonly unknown[], delayMs = 0): void {
    this.#queue.add(() => this.session.send(member, signature, body), delayMs);
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
  if (!hadKeyboard) await pause(FIRST_DEVICES_MS);
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
