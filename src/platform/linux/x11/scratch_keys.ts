/**
 * Assigns symbols that are not on the layout to scratch keycodes: the plain and the Shift level hold
 * one each.
 */

import type { Stroke } from "./keymap.ts";
import { MOD } from "./keymap.ts";

const NO_SYMBOL = 0;

interface ScratchLevel {
  readonly keycode: number;
  readonly mods: number;
  keysym: number;
  /** `performance.now()` of the last press, 0 before the first. */
  lastUsed: number;
  /** The number of pressed keys that need the symbol to stay. */
  pins: number;
}

/** A keycode whose symbols must be written; two zeros return it to the layout. */
export interface Remap {
  readonly keycode: number;
  readonly symbols: readonly [plain: number, shifted: number];
}

export class ScratchKeys {
  /** Plain levels first: they need no modifier. */
  #levels: ScratchLevel[] = [];
  readonly #bySymbol = new Map<number, ScratchLevel>();

  /** Uses these keycodes; symbols on others are forgotten. */
  use(keycodes: ReadonlySet<number>): void {
    const known = new Map(this.#levels.map((level) => [`${level.mods} ${level.keycode}`, level]));
    this.#levels = [0, MOD.shift].flatMap((mods) =>
      [...keycodes].sort((a, b) => a - b).map((keycode) =>
        known.get(`${mods} ${keycode}`) ??
          { keycode, mods, keysym: NO_SYMBOL, lastUsed: 0, pins: 0 }
      )
    );
    for (const [keysym, { keycode }] of this.#bySymbol) {
      if (!keycodes.has(keycode)) this.#bySymbol.delete(keysym);
    }
  }

  /** The number of symbols that can be mapped at the same time. */
  get capacity(): number {
    return this.#levels.filter((level) => level.pins === 0).length;
  }

  /** Keycodes that hold a symbol. */
  get mapped(): ReadonlySet<number> {
    return new Set(this.#levels.filter((level) => level.keysym).map((level) => level.keycode));
  }

  find(keysym: number): Stroke | undefined {
    return this.#bySymbol.get(keysym);
  }

  /** The stroke without a modifier: in a shortcut Shift would be one of its keys. */
  findPlain(keysym: number): Stroke | undefined {
    const level = this.#bySymbol.get(keysym);
    return level?.mods === 0 ? level : undefined;
  }

  wantedSymbols(keycode: number): [plain: number, shifted: number] {
    const [plain, shifted] = this.#levels.filter((level) => level.keycode === keycode);
    return pair(plain?.keysym ?? NO_SYMBOL, shifted?.keysym ?? NO_SYMBOL);
  }

  /** Records a press of a symbol: its level is kept until the program has looked it up. */
  touch(keysym: number): void {
    const level = this.#bySymbol.get(keysym);
    if (level) level.lastUsed = performance.now();
  }

  pin(keysym: number): void {
    const level = this.#bySymbol.get(keysym);
    if (level) level.pins++;
  }

  unpin(keysym: number): void {
    const level = this.#bySymbol.get(keysym);
    if (level && level.pins > 0) level.pins--;
  }

  /**
   * Chooses levels for symbols: free ones first, then the least recently used. Returns the levels
   * that would be reassigned, how many are missing, and the latest use; changes nothing yet.
   * @param needs `plain`: levels without a modifier only
   */
  choose(keysyms: readonly number[], needs?: "plain") {
    const wanted = new Set(keysyms);
    const missing = this.#missing(keysyms, needs).length;
    const candidates = this.#levels
      .filter((level) => level.pins === 0 && !(needs === "plain" && level.mods !== 0))
      .filter((level) => !(wanted.has(level.keysym) && this.#holds(level)))
      .sort((a, b) => rank(a) - rank(b));
    const chosen = candidates.slice(0, missing);
    const reused = chosen.filter((level) => level.keysym !== NO_SYMBOL);
    return { chosen, missing, lastUsed: Math.max(0, ...reused.map((level) => level.lastUsed)) };
  }

  /** The symbols that have no level of this kind. */
  #missing(keysyms: readonly number[], needs?: "plain"): number[] {
    return keysyms.filter((keysym) =>
      (needs === "plain" ? this.findPlain(keysym) : this.find(keysym)) === undefined
    );
  }

  /**
   * Gives the chosen levels to the symbols that have none, and returns the rows to write. A symbol
   * that has another level stays there, too: a program may not have looked it up yet.
   */
  assign(keysyms: readonly number[], chosen: readonly ScratchLevel[], needs?: "plain"): Remap[] {
    const missing = this.#missing(keysyms, needs);
    missing.forEach((keysym, i) => {
      const level = chosen[i]!;
      this.#leave(level);
      level.keysym = keysym;
      level.lastUsed = 0;
      this.#bySymbol.set(keysym, level);
    });
    return this.#remaps(new Set(chosen.slice(0, missing.length).map((level) => level.keycode)));
  }

  /** Forgets the symbols of keycodes that no longer hold them. */
  forget(keycodes: ReadonlySet<number>): void {
    for (const level of this.#levels.filter(({ keycode }) => keycodes.has(keycode))) {
      this.#leave(level);
      Object.assign(level, { keysym: NO_SYMBOL, lastUsed: 0, pins: 0 });
    }
  }

  /** Forgets all symbols except pinned ones, and returns the rows to write. */
  clear(): Remap[] {
    const cleared = this.#levels.filter((level) => level.keysym !== NO_SYMBOL && level.pins === 0);
    for (const level of cleared) {
      this.#leave(level);
      level.keysym = NO_SYMBOL;
    }
    return this.#remaps(new Set(cleared.map((level) => level.keycode)));
  }

  #leave(level: ScratchLevel): void {
    if (this.#holds(level)) this.#bySymbol.delete(level.keysym);
  }

  /** Whether its symbol has not moved to another level since. */
  #holds(level: ScratchLevel): boolean {
    return this.#bySymbol.get(level.keysym) === level;
  }

  #remaps(keycodes: ReadonlySet<number>): Remap[] {
    return [...keycodes].sort((a, b) => a - b)
      .map((keycode) => ({ keycode, symbols: this.wantedSymbols(keycode) }));
  }
}

/** Sorts free levels first, then by last use. */
function rank(level: ScratchLevel): number {
  return level.keysym === NO_SYMBOL ? -1 : level.lastUsed;
}

/**
 * Always fills both levels, because a server turns a single letter into a lower- and upper-case
 * pair.
 */
function pair(plain: number, shifted: number): [number, number] {
  return [plain || shifted, shifted || plain];
}
