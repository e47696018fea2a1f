/** One keyboard of zwp_virtual_keyboard_v1: which of its keys are down, and what its modifiers are. */

import { KEYMAP_FORMAT_TEXT_V1 } from "../../../../../ffi/linux/xkbcommon.ts";
import { pause, within } from "../../../../core/deadline.ts";
import { PressCounts, UNICODE_KEYSYM } from "../../../keys.ts";
import type { WaylandClient } from "../client.ts";
import type { Keymap, KeyStroke } from "../keymap/keymap.ts";
import type { WaylandObject } from "../protocols/mod.ts";
import type { EventClock, Seat } from "../seat.ts";
import { MemoryFile } from "../wire/memory_file.ts";

/** `wl_keyboard.key_state` */
const STATE = { released: 0, pressed: 1 } as const;

/** The modifiers in addition to those that pressed keys hold, and the layout. */
type Locks = Pick<KeyStroke, "locked" | "group">;

export class VirtualKeyboard {
  /** Of keycodes. */
  readonly #presses = new PressCounts();
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
    if (!this.#presses.press(keycode)) return;
    this.object.send("key", this.clock.next(), keycode, STATE.pressed);
    const { locked } = this.keymap.modifiersOf(keycode);
    if (locked !== 0) this.#locks = { ...this.#locks, locked: this.#locks.locked ^ locked };
    this.#sendModifiers();
  }

  /** ... and releases it after the last. */
  release(keycode: number): void {
    if (this.#presses.release(keycode)) this.#sendRelease(keycode);
  }

  releaseAll(): void {
    for (const keycode of [...this.#presses.keys()].toReversed()) {
      this.#presses.forget(keycode);
      this.#sendRelease(keycode);
    }
  }

  #sendRelease(keycode: number): void {
    this.object.send("key", this.clock.next(), keycode, STATE.released);
    this.#sendModifiers();
  }

  /** The keyboard goes; compositors release what is down on it. */
  destroy(): void {
    this.object.send("destroy");
  }

  /** The compositor does not follow the modifiers of such a keyboard: they must be sent. */
  #sendModifiers(): void {
    const { held } = this;
    const { locked, group } = this.#locks;
    const state = [held, locked, group].join();
    if (state === this.#sent) return;
    this.#sent = state;
    this.object.send("modifiers", held, 0, locked, group);
  }
}

// Text as an input method commits it, for characters that some programs cannot take from a key:
// Chromium cuts the characters of keys to 16 bits.

/** How long a program has to report the field that has the focus. */
const ACTIVATION_TIMEOUT_MS = 500;
/** Pause before and after committed text: programs may take keys and text by two paths. */
const COMMIT_PAUSE_MS = 5;
/** `zwp_text_input_v3.content_purpose.terminal` */
const TERMINAL = 13;
/** `zwp_text_input_v3.change_cause.input_method`, which is also what is reported for none. */
const NO_CAUSE = 0;
const LAST_OF_16_BITS = 0xffff;

/** Whether a keysym stands for a character beyond 16 bits. */
export function isBeyond16Bits(keysym: number): boolean {
  return keysym > UNICODE_KEYSYM + LAST_OF_16_BITS;
}

/** An input method for the time of one text. */
export class TextCommitter implements Disposable {
  readonly #method: WaylandObject<"zwp_input_method_v2">;
  readonly #activated = Promise.withResolvers<void>();
  /** The state as it is reported, until `done` makes it valid. */
  #pending = { isActive: false, takesKeys: false };
  #isReady = false;
  /** The number of states, which a commit refers to. */
  #serial = 0;

  private constructor(private readonly client: WaylandClient, seat: Seat) {
    const manager = client.bind("zwp_input_method_manager_v2", 1);
    this.#method = manager.send("get_input_method", seat.object);
    manager.send("destroy");
    this.#method.on("activate", () => this.#pending = { isActive: true, takesKeys: false });
    this.#method.on("deactivate", () => this.#pending.isActive = false);
    this.#method.on("text_change_cause", (cause) => {
      if (cause !== NO_CAUSE) this.#pending.takesKeys = true;
    });
    this.#method.on("content_type", (_hint, purpose) => {
      if (purpose === TERMINAL) this.#pending.takesKeys = true;
    });
    this.#method.on("done", () => this.#apply());
    this.#method.on("unavailable", () => this.#activated.resolve()); // the user has one
  }

  /** `undefined` where the compositor has no input methods. */
  static async open(client: WaylandClient, seat: Seat): Promise<TextCommitter | undefined> {
    if (client.globals.find("zwp_input_method_manager_v2") === undefined) return undefined;
    const committer = new TextCommitter(client, seat);
    await within(committer.#activated.promise, ACTIVATION_TIMEOUT_MS);
    return committer;
  }

  /**
   * Whether the focused program needs committed text. GTK does not, and would put it before keys that
   * came earlier; it is known by the cause that it reports when a field gets the focus. Terminals do
   * not, and foot ignores what is committed while its own state changes.
   */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Sends text to the focused field. */
  async commit(keysyms: readonly number[], signal?: AbortSignal): Promise<void> {
    await pause(COMMIT_PAUSE_MS, signal);
    const text = String.fromCodePoint(...keysyms.map((keysym) => keysym - UNICODE_KEYSYM));
    this.#method.send("commit_string", text);
    this.#method.send("commit", this.#serial);
    await this.client.roundtrip();
    await pause(COMMIT_PAUSE_MS, signal);
  }

  [Symbol.dispose](): void {
    this.#method.send("destroy");
  }

  #apply(): void {
    this.#serial++;
    this.#isReady = this.#pending.isActive && !this.#pending.takesKeys;
    if (this.#pending.isActive) this.#activated.resolve();
  }
}
