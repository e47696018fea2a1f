/** A text as keystrokes: all its foreign characters are mapped before the first key, as many as there is room for. */

import { ServiceError, ValueFault } from "../../../errors.ts";
import { isControl, keysymOfCodePoint } from "../../keys.ts";
import type { TextPlan } from "../../types.ts";
import type { KeyboardState } from "./keyboard_state.ts";
import type { Symbols } from "./symbols.ts";

const RETURN = 0xff0d;
const TAB = 0xff09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Faults that an error names. */
const MAX_NAMED = 5;

export interface TextPlanOptions {
  readonly symbols: Symbols;
  readonly state: KeyboardState;
  /** Presses and releases a key. */
  strike(keycode: number): void;
  /** Makes the modifiers of the mask `to` be down where those of `from` are. */
  changeModifiers(from: number, to: number): void;
}

export class X11TextPlan implements TextPlan {
  readonly sliceSize = 50;
  /** Keystrokes before this one can be sent: their symbols are mapped. */
  #readyUntil = 0;

  private constructor(
    private readonly keysyms: readonly number[],
    private readonly options: TextPlanOptions,
    /** Modifiers that were locked on (Caps Lock) and are locked again at the end. */
    private readonly locked: number,
  ) {}

  /** @throws ValueFault on `text` for characters that no key can type. */
  static async make(text: string, options: TextPlanOptions): Promise<X11TextPlan> {
    const keysyms = keysymsOf(text);
    const { symbols, state } = options;
    if (symbols.capacity === 0) checkOnLayout(keysyms, symbols);
    const locked = state.current.lockedMods & ~symbols.keymap.numLockMask;
    symbols.beginUse();
    const plan = new X11TextPlan(keysyms, options, locked);
    try {
      if (locked || state.current.latchedMods) {
        state.lock(locked, false);
        await state.refresh();
      }
      await plan.#makeReady(0);
      return plan;
    } catch (error) {
      await plan[Symbol.asyncDispose]();
      throw error;
    }
  }

  get length(): number {
    return this.keysyms.length;
  }

  send(from: number, to: number): void | Promise<void> {
    const { symbols, strike, changeModifiers } = this.options;
    let held = 0; // modifiers stay down for as long as the next stroke needs the same
    let next = from;
    try {
      for (; next < to && next < this.#readyUntil && symbols.fresh; next++) {
        const keysym = this.keysyms[next]!;
        const { keycode, mods } = symbols.strokeOf(keysym);
        if (mods !== held) changeModifiers(held, mods);
        held = mods;
        strike(keycode);
        symbols.touch(keysym);
      }
    } finally {
      changeModifiers(held, 0);
    }
    if (next < to) return this.#makeReady(next).then(() => this.send(next, to));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.options.symbols.endUse();
    if (this.locked) this.options.state.lock(this.locked, true);
    await Promise.resolve();
  }

  /** Maps the foreign characters from `start` on, as far as the spare keycodes go. */
  async #makeReady(start: number): Promise<void> {
    const { symbols } = this.options;
    await symbols.refresh();
    const foreign = new Set<number>();
    let end = start;
    for (; end < this.keysyms.length; end++) {
      const keysym = this.keysyms[end]!;
      if (symbols.onLayout(keysym) || foreign.has(keysym)) continue;
      if (foreign.size === symbols.capacity) break;
      foreign.add(keysym);
    }
    if (end === start && start < this.keysyms.length) {
      throw new ServiceError(
        "unavailable",
        `Typing stopped at ${start}: the keyboard layout changed and has no spare keycode left`,
      );
    }
    await symbols.ready([...foreign]);
    this.#readyUntil = end;
  }
}

/** Keysyms of the keystrokes of a text. @throws ValueFault on `text` for control characters. */
export function keysymsOf(text: string): number[] {
  const keysyms: number[] = [];
  const faults: Fault[] = [];
  let position = 0;
  let previous = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    if (codePoint === LINE_FEED && previous === CARRIAGE_RETURN) { /* \r\n is one Enter */ }
    else if (codePoint === LINE_FEED || codePoint === CARRIAGE_RETURN) keysyms.push(RETURN);
    else if (codePoint === 0x09) keysyms.push(TAB);
    else if (isControl(codePoint)) faults.push({ codePoint, position });
    else keysyms.push(keysymOfCodePoint(codePoint));
    position++;
    previous = codePoint;
  }
  if (faults.length > 0) throw untypable(faults, "they are control characters");
  return keysyms;
}

interface Fault {
  readonly codePoint: number;
  readonly position: number;
}

/** Where the layout has no spare keycode left, only its own symbols can be typed. */
function checkOnLayout(keysyms: readonly number[], symbols: Symbols): void {
  const faults = keysyms.flatMap((keysym, position) =>
    symbols.onLayout(keysym) ? [] : [{ codePoint: keysym & 0xffffff, position }]
  );
  if (faults.length > 0) {
    throw untypable(faults, "they are not on the keyboard layout, which has no spare keycode");
  }
}

function untypable(faults: readonly Fault[], why: string): ValueFault {
  const named = faults.slice(0, MAX_NAMED).map(({ codePoint, position }) =>
    `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")} at ${position}`
  );
  const more = faults.length > MAX_NAMED ? ` and ${faults.length - MAX_NAMED} more` : "";
  return new ValueFault(
    "text",
    `Nothing was typed: ${named.join(", ")}${more} cannot be typed, ${why}`,
  );
}
