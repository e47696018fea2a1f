/** A text as strokes on a virtual keyboard, whose keymap is changed when it lacks a character. */

import { pause } from "../../../../core/deadline.ts";
import type { TextPlan } from "../../../types/mod.ts";
import type { KeyStroke } from "../keymap/keymap.ts";
import { isBeyond16Bits, type TextCommitter } from "./text_committer.ts";
import type { VirtualKeyboard } from "./virtual_keyboard.ts";

/**
 * Strokes that are sent at once, and the time that programs then have to read them: compositors end
 * those whose connection is full, which a GTK 3 program reaches with some thousand strokes.
 */
const BURST = { strokes: 50, ms: 3 } as const;

export interface TextPlanOptions {
  readonly device: VirtualKeyboard;
  /** Called before the first stroke, and after the last. */
  begin(): void;
  end(): void;
  find(keysym: number): KeyStroke | undefined;
  /** Whether the symbol needs a spare key. */
  isOffLayout(keysym: number): boolean;
  /** The most symbols that can be lent keys together. */
  readonly capacity: number;
  lend(keysyms: readonly number[], signal?: AbortSignal): Promise<void>;
  noteUse(stroke: KeyStroke): void;
  keysFor(mask: number): readonly number[];
  /** For characters that not every program takes from keys; `undefined` where there is none. */
  openCommitter(): Promise<TextCommitter | undefined>;
}

export class WlrootsTextPlan implements TextPlan {
  readonly sliceSize = BURST.strokes;
  #begun = false;
  /** Modifiers that were locked (Caps Lock), and are locked again at the end. */
  #locked = 0;
  /** Strokes sent since `#burstBegan`. */
  #burst = 0;
  #burstBegan = -Infinity;
  #committer: TextCommitter | undefined;

  constructor(
    private readonly keysyms: readonly number[],
    private readonly options: TextPlanOptions,
  ) {}

  get length(): number {
    return this.keysyms.length;
  }

  async send(from: number, to: number, signal?: AbortSignal): Promise<void> {
    if (!this.#begun) await this.#begin();
    for (let next = from; next < to;) {
      const rest = this.#restOfBurst();
      if (rest === 0) await pause(BURST.ms, signal);
      else if (this.#isCommitted(next)) next = await this.#commit(next, to, signal);
      else if (this.#isLacking(next)) await this.options.lend(this.#chooseSymbols(next), signal);
      else next = this.#sendReady(next, Math.min(to, next + rest));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#begun) return;
    this.#committer?.[Symbol.dispose]();
    this.options.device.setLocks({ locked: this.#locked, group: 0 });
    this.options.end();
    await Promise.resolve();
  }

  async #begin(): Promise<void> {
    this.#begun = true;
    this.#locked = this.options.device.locks.locked;
    this.options.begin();
    if (this.keysyms.some(isBeyond16Bits)) this.#committer = await this.options.openCommitter();
  }

  #isCommitted(index: number): boolean {
    return this.#committer?.isReady === true && isBeyond16Bits(this.keysyms[index]!);
  }

  /** Commits the characters from `from` that need it, at most to `to`; returns the next stroke. */
  async #commit(from: number, to: number, signal?: AbortSignal): Promise<number> {
    let end = from + 1;
    while (end < to && this.#isCommitted(end)) end++;
    await this.#committer!.commit(this.keysyms.slice(from, end), signal);
    return end;
  }

  /** How many more strokes programs can take now. */
  #restOfBurst(): number {
    const now = performance.now();
    if (now - this.#burstBegan >= BURST.ms) {
      this.#burst = 0;
      this.#burstBegan = now;
    }
    return BURST.strokes - this.#burst;
  }

  #isLacking(index: number): boolean {
    return this.options.find(this.keysyms[index]!) === undefined;
  }

  /** Sends the strokes from `from` that have keys, at most to `to`; returns the next one. */
  #sendReady(from: number, to: number): number {
    const { device, find, noteUse } = this.options;
    let held = 0; // modifiers stay down while the next stroke needs the same ones
    let next = from;
    try {
      for (; next < to; next++) {
        const stroke = find(this.keysyms[next]!);
        if (stroke === undefined || this.#isCommitted(next)) break;
        if (stroke.modifiers !== held) this.#changeModifiers(held, stroke.modifiers);
        held = stroke.modifiers;
        const { keycode, group, locked } = stroke;
        device.setLocks({ group, locked });
        device.press(keycode);
        device.release(keycode);
        noteUse(stroke);
      }
    } finally {
      this.#changeModifiers(held, 0);
      this.#burst += next - from;
    }
    return next;
  }

  #changeModifiers(from: number, to: number): void {
    const { device, keysFor } = this.options;
    for (const keycode of keysFor(from & ~to)) device.release(keycode);
    for (const keycode of keysFor(to & ~from)) device.press(keycode);
  }

  /** The symbols from `start` on that the layout lacks, as many as have keys together. */
  #chooseSymbols(start: number): number[] {
    const { capacity } = this.options;
    const chosen = new Set<number>();
    for (let index = start; index < this.keysyms.length && chosen.size < capacity; index++) {
      if (this.options.isOffLayout(this.keysyms[index]!)) chosen.add(this.keysyms[index]!);
    }
    return [...chosen];
  }
}
