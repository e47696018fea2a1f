/** One keyboard of zwp_virtual_keyboard_v1: which of its keys are down, and what its modifiers are. */

import type { EventClock } from "../event_clock.ts";
import type { Keymap } from "../keymap/keymap.ts";
import { KEYMAP_FORMAT_TEXT_V1 } from "../../../../../ffi/linux/xkbcommon.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { MemoryFile } from "../wire/memory_file.ts";

/** `wl_keyboard.key_state` */
const STATE = { released: 0, pressed: 1 } as const;

/** The modifiers beside those that pressed keys hold. */
interface Locks {
  /** Mask of locked modifiers. */
  readonly locked: number;
  /** The layout, from 0. */
  readonly group: number;
}

export class VirtualKeyboard {
  /** Keycode -> the number of presses that need it down. */
  readonly #presses = new Map<number, number>();
  #locks: Locks = { locked: 0, group: 0 };
  /** The modifiers that were sent last. */
  #sent = "";

  constructor(
    private readonly object: WaylandObject<"zwp_virtual_keyboard_v1">,
    private readonly clock: EventClock,
    private keymap: Keymap,
  ) {}

  /**
   * Sends the text of a keymap; keys that are down stay down. Later keys have the new symbols for
   * every program, because these get the keymap before the keys.
   * @param keymap what the modifier keys do
   */
  load(text: string, keymap: Keymap): void {
    const bytes = new TextEncoder().encode(`${text}\0`);
    using memory = MemoryFile.from(bytes);
    this.object.send("keymap", KEYMAP_FORMAT_TEXT_V1, memory.file, bytes.length);
    this.keymap = keymap;
    this.#sent = ""; // the compositor forgets them
    this.#sendModifiers();
  }

  get locks(): Locks {
    return this.#locks;
  }

  /** Takes effect for the keys that are pressed next. */
  setLocks(change: Partial<Locks>): void {
    this.#locks = { ...this.#locks, ...change };
    this.#sendModifiers();
  }

  /** The mask of the modifiers that pressed keys hold. */
  get held(): number {
    let mask = 0;
    for (const keycode of this.#presses.keys()) mask |= this.keymap.modifiersOf(keycode).held;
    return mask;
  }

  isDown(keycode: number): boolean {
    return this.#presses.has(keycode);
  }

  /** Presses a key for the first that needs it ... */
  press(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    this.#presses.set(keycode, presses + 1);
    if (presses > 0) return;
    this.object.send("key", this.clock.next(), keycode, STATE.pressed);
    const { locked } = this.keymap.modifiersOf(keycode);
    if (locked !== 0) this.#locks = { ...this.#locks, locked: this.#locks.locked ^ locked };
    this.#sendModifiers();
  }

  /** ... and releases it after the last. */
  release(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses > 1) {
      this.#presses.set(keycode, presses - 1);
      return;
    }
    if (!this.#presses.delete(keycode)) return;
    this.object.send("key", this.clock.next(), keycode, STATE.released);
    this.#sendModifiers();
  }

  releaseAll(): void {
    for (const keycode of [...this.#presses.keys()].toReversed()) {
      this.#presses.set(keycode, 1);
      this.release(keycode);
    }
  }

  /** The keyboard goes; compositors release what is down on it. */
  destroy(): void {
    this.object.send("destroy");
  }

  /** The compositor does not follow the modifiers of such a keyboard: it must be told. */
  #sendModifiers(): void {
    const { held } = this;
    const { locked, group } = this.#locks;
    const state = [held, locked, group].join();
    if (state === this.#sent) return;
    this.#sent = state;
    this.object.send("modifiers", held, 0, locked, group);
  }
}
