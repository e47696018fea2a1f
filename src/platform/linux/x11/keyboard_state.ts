/**
 * Tracks the keyboard state (modifiers, group) and changes of the keyboard map through XKB events.
 */

import type { XEvent, Xkb, XkbState } from "./client.ts";
import type { X11Connection } from "./connection.ts";

/** XkbNewKeyboardNotify and XkbMapNotify. */
const MAP_EVENTS: ReadonlySet<number> = new Set([0, 1]);
/** The state changes to report: base, latched and locked modifiers, effective group. */
const STATE_DETAILS = 0x02 | 0x04 | 0x08 | 0x10;
const ALL = 0xffff;
/** XkbAllStateEventsMask: the server refuses other bits. */
const ALL_STATE_DETAILS = 0x3fff;

/** Receives changes, each with the number of our last request that the server had processed. */
export interface KeyboardListener {
  /** Key symbols were changed, or the keyboard was replaced. */
  mapChanged(request: number): void;
  /** Another group became active. */
  groupChanged(request: number): void;
}

export class KeyboardState {
  #state: XkbState = { baseMods: 0, lockedMods: 0, latchedMods: 0, group: 0 };

  private constructor(
    private readonly connection: X11Connection,
    private readonly xkb: Xkb,
    private readonly listener: KeyboardListener,
  ) {}

  static async open(
    connection: X11Connection,
    xkb: Xkb,
    listener: KeyboardListener,
  ): Promise<KeyboardState> {
    const keyboard = new KeyboardState(connection, xkb, listener);
    const { NewKeyboardNotify, MapNotify, StateNotify } = xkb.EventType;
    const always = NewKeyboardNotify! | MapNotify!;
    xkb.SelectEvents(xkb.UseCoreKbd, always | StateNotify!, 0, always, ALL, ALL, {
      stateNotify: [ALL_STATE_DETAILS, STATE_DETAILS],
    });
    connection.onEvent((event) => keyboard.#handle(event));
    await keyboard.refresh();
    return keyboard;
  }

  /** The state according to the events received so far. */
  get current(): XkbState {
    return this.#state;
  }

  /** Queries the server; all its earlier events have been handled when this resolves. */
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
      if (group !== this.#state.group) this.listener.groupChanged(event.seq);
      this.#state = { baseMods, lockedMods, latchedMods, group };
    } else if (event.name === "XkbEvent" && MAP_EVENTS.has(event.xkbType)) {
      this.listener.mapChanged(event.seq);
    }
  }
}
