/** A text as strokes on a virtual keyboard, whose keymap is changed when it lacks a character. */

import type { TextPlan } from "../../../types/mod.ts";
import type { KeyStroke } from "../keymap/compiled_keymap.ts";
import type { TypingPace } from "../unread_bytes.ts";
import { isBeyond16Bits, type TextCommitter, type VirtualKeyboard } from "./virtual_keyboard.ts";

/** The most strokes to send before the service checks that its client is still connected. */
const SLICE = 50;

export interface TextPlanOptions {
  readonly device: VirtualKeyboard;
  readonly pace: TypingPace;
  /** Called before the first stroke, and after the last. */
  begin(): void;
  end(): void;
  find(keysym: number): KeyStroke | undefined;
  /** Whether the symbol needs a scratch key. */
  isOffLayout(keysym: number): boolean;
  /** The most symbols that can have scratch keys together. */
  readonly capacity: number;
  /** Called between bursts: another program may have changed the keymap. */
  keepKeymap(): void;
  remap(keysyms: readonly number[], signal?: AbortSignal): Promise<void>;
  noteUse(stroke: KeyStroke): void;
  keysFor(mask: number): readonly number[];
  /** For characters that not every program takes from keys; `undefined` where there is none. */
  openCommitter(): Promise<TextCommitter | undefined>;
}

export class WlrootsTextPlan implements TextPlan {
  readonly sliceSize = SLICE;
  #begun = false;
  /** Modifiers that were locked (Caps Lock), and are locked again at the end. */
  #locked = 0;
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
      const most = await this.options.pace.allow(signal, next);
      this.options.keepKeymap();
      if (this.#isCommitted(next)) next = await this.#commit(next, to, signal);
      else if (this.options.find(this.keysyms[next]!) === undefined) {
        await this.options.remap(this.#chooseSymbols(next), signal);
      } else next = this.#sendReady(next, Math.min(to, next + most));
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

  /** Sends the strokes from `from` that have keys, at most to `to`; returns the next one. */
  #sendReady(from: number, to: number): number {
    const { device, find, noteUse, pace } = this.options;
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
      pace.note(next - from);
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
