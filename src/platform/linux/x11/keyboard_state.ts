/** The state of the keyboard (modifiers, group) and whether its map has changed, as the server's XKB events tell. */

import type { XEvent, Xkb, XkbState } from "./client.ts";
import type { X11Connection } from "./connection.ts";

const MAP_NOTIFY = 1;
const NEW_KEYBOARD_NOTIFY = 0;
/** Which changes of the state are told: base, latched and locked modifiers, effective group. */
const STATE_DETAILS = 0x02 | 0x04 | 0x08 | 0x10;
const ALL = 0xffff;

/** A range of keycodes whose symbols have changed. */
export interface KeycodeRange {
  readonly first: number;
  readonly count: number;
}

export class KeyboardState {
  #state: XkbState = { baseMods: 0, lockedMods: 0, latchedMods: 0, group: 0 };

  private constructor(
    private readonly connection: X11Connection,
    private readonly xkb: Xkb,
    private readonly onMapChange: (range: KeycodeRange | "all") => void,
  ) {}

  static async open(
    connection: X11Connection,
    xkb: Xkb,
    onMapChange: (range: KeycodeRange | "all") => void,
  ): Promise<KeyboardState> {
    const keyboard = new KeyboardState(connection, xkb, onMapChange);
    const { NewKeyboardNotify, MapNotify, StateNotify } = xkb.EventType;
    const always = NewKeyboardNotify! | MapNotify!;
    xkb.SelectEvents(xkb.UseCoreKbd, always | StateNotify!, 0, always, ALL, ALL, {
      stateNotify: [ALL, STATE_DETAILS],
    });
    connection.onEvent((event) => keyboard.#handle(event));
    await keyboard.refresh();
    return keyboard;
  }

  /** As far as the server has told. */
  get current(): XkbState {
    return this.#state;
  }

  /** Asks the server; all its earlier events have been seen when this resolves. */
  async refresh(): Promise<XkbState> {
    const { baseMods, lockedMods, latchedMods, group } = await this.connection.call<XkbState>(
      (done) => this.xkb.GetState(this.xkb.UseCoreKbd, done),
    );
    return this.#state = { baseMods, lockedMods, latchedMods, group };
  }

  /** Locks or unlocks the modifiers of `mask` and ends latches (sticky keys). */
  lock(mask: number, on: boolean): void {
    const { UseCoreKbd } = this.xkb;
    this.xkb.LatchLockState(UseCoreKbd, mask, on ? mask : 0, false, 0, 0xff, 0, false, 0);
  }

  #handle(event: XEvent): void {
    if (event.name === "XkbStateNotify") {
      const { baseMods, lockedMods, latchedMods, group } = event;
      this.#state = { baseMods, lockedMods, latchedMods, group };
    } else if (event.name === "XkbEvent" && event.xkbType === NEW_KEYBOARD_NOTIFY) {
      this.onMapChange("all");
    } else if (event.name === "XkbEvent" && event.xkbType === MAP_NOTIFY) {
      // XkbMapNotify: firstKeySym and nKeySyms are bytes 16 and 17 of the event
      const [first, count] = [event.raw[8], event.raw[9]];
      this.onMapChange(count > 0 ? { first, count } : "all");
    }
  }
}
