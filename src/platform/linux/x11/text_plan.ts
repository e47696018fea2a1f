/**
 * Plans a text as keystrokes: characters off the layout get keycodes before the first keystroke, as
 * many as fit.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { TextPlan } from "../../types/mod.ts";
import { RETURN, toKeysyms, untypable } from "../keys/keysyms.ts";
import type { X11Connection } from "./connection.ts";
import type { Keymap, Stroke } from "./keymap.ts";
import type { Layout } from "./layout.ts";
import { POINTER_ROOT } from "./client.ts";
import type { ScratchKeycodes } from "./scratch_keycodes.ts";

interface TextPlanOptions {
  readonly connection: X11Connection;
  readonly layout: Layout;
  readonly scratch: ScratchKeycodes;
  /** Presses and releases a key. */
  strike(keycode: number): void;
  /** Releases and presses modifier keys to get from the mask `from` to the mask `to`. */
  changeModifiers(from: number, to: number): void;
}

export class X11TextPlan implements TextPlan {
  readonly sliceSize = 50;
  #begun = false;
  /** Keystrokes before this index can be sent: their symbols are mapped. */
  #readyUntil = 0;
  /** The last known window with the keyboard focus. */
  #window = 0;
  #sent = 0;
  /** The sequence number of the request for the last keystroke. */
  #lastStrike = 0;

  /**
   * Changes nothing on the server.
   * @throws FieldError on `text` for characters that no key can type.
   */
  constructor(text: string, private readonly options: TextPlanOptions) {
    this.keysyms = toKeysyms(text);
    const { layout, scratch } = options;
    if (scratch.capacity === 0) checkOnLayout(this.keysyms, layout.keymap);
  }

  private readonly keysyms: readonly number[];

  get length(): number {
    return this.keysyms.length;
  }

  send(from: number, to: number, signal?: AbortSignal): void | Promise<void> {
    const { connection, layout, strike, changeModifiers } = this.options;
    if (!this.#begun) return this.#begin().then(() => this.send(from, to, signal));
    let held = 0; // modifiers stay down while the next stroke needs the same ones
    let next = from;
    try {
      for (; next < to && next < this.#readyUntil && layout.fresh; next++) {
        const keysym = this.keysyms[next]!;
        const { keycode, mods } = this.#requireStroke(keysym);
        if (mods !== held) changeModifiers(held, mods);
        held = mods;
        strike(keycode);
        this.options.scratch.touch(keysym);
      }
    } finally {
      changeModifiers(held, 0);
      if (next > from) this.#lastStrike = connection.client.seq_num;
      this.#sent = next;
    }
    if (next < to) return this.#makeReady(next, signal).then(() => this.send(next, to, signal));
  }

  check(): void | Promise<void> {
    const { connection, layout } = this.options;
    if (!layout.fresh || layout.changedBefore(this.#lastStrike)) {
      return this.#checkLayout().then(() => this.check());
    }
    if (connection.focus === this.#window) return;
    return this.#checkWindow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#begun) return;
    this.options.scratch.endUse();
    await Promise.resolve();
  }

  async #begin(): Promise<void> {
    const { connection, layout, scratch } = this.options;
    const { state } = layout;
    const { lockedMods, latchedMods } = state.current;
    const locked = lockedMods & ~layout.keymap.numLockMask; // Caps Lock
    scratch.beginUse(locked);
    this.#begun = true;
    layout.forgetChanges();
    this.#window = connection.focus;
    if (!locked && !latchedMods) return;
    state.lock(locked, false);
    await state.refresh();
  }

  #requireStroke(keysym: number): Stroke {
    return this.options.layout.keymap.find(keysym) ?? this.options.scratch.keys.find(keysym)!;
  }

  /** Acquires keycodes for the characters off the layout from `start` on, as many as fit. */
  async #makeReady(start: number, signal?: AbortSignal): Promise<void> {
    const { layout, scratch } = this.options;
    await this.#checkLayout();
    const offLayout = new Set<number>();
    let end = start;
    for (; end < this.keysyms.length; end++) {
      const keysym = this.keysyms[end]!;
      if (layout.keymap.find(keysym) || offLayout.has(keysym)) continue;
      if (offLayout.size === scratch.capacity) break;
      offLayout.add(keysym);
    }
    if (end === start && start < this.keysyms.length) {
      throw this.#stopped(
        "unavailable",
        "the keyboard layout changed and has no unused keycode left",
      );
    }
    if (offLayout.size > 0) await scratch.acquire([...offLayout], { signal });
    this.#readyUntil = end;
  }

  /**
   * Fails if another program changed the layout before the last keystroke: some keystrokes then
   * produced other characters.
   */
  async #checkLayout(): Promise<void> {
    const { layout } = this.options;
    await layout.refresh();
    this.#readyUntil = 0; // earlier mappings are possibly gone
    const changed = layout.changedBefore(this.#lastStrike);
    layout.forgetChanges();
    if (!changed) return;
    throw this.#stopped(
      "conflict",
      "the keyboard layout was changed in the meantime, and the last characters may be wrong",
    );
  }

  /**
   * Checks a change of the focused window: it is accepted if the text itself caused it, but not if
   * the previous window was closed midway.
   */
  async #checkWindow(): Promise<void> {
    const { connection } = this.options;
    const before = this.#window;
    this.#window = connection.focus;
    if (before <= POINTER_ROOT || this.keysyms[this.#sent - 1] === RETURN) return;
    if (await connection.unlessGone(connection.request("GetWindowAttributes", before))) return;
    throw this.#stopped(
      "conflict",
      "the window with the keyboard focus was closed, and the last characters may have gone to another one",
    );
  }

  #stopped(code: "conflict" | "unavailable", why: string): ServiceError {
    return new ServiceError(code, `Typing stopped at ${this.#sent}: ${why}`);
  }
}

/** Rejects symbols off the layout when there is no scratch keycode for them. */
function checkOnLayout(keysyms: readonly number[], keymap: Keymap): void {
  const characters = keysyms.flatMap((keysym, position) =>
    keymap.find(keysym) ? [] : [{ codePoint: keysym & 0xffffff, position }]
  );
  if (characters.length > 0) {
    throw untypable(characters, "they are not on the keyboard layout, which has no unused keycode");
  }
}
