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
    const places = new Map(this.#levels.map((place) => [`${place.mods} ${place.keycode}`, place]));
    this.#levels = [0, MOD.shift].flatMap((mods) =>
      [...keycodes].sort((a, b) => a - b).map((keycode) =>
        places.get(`${mods} ${keycode}`) ??
          { keycode, mods, keysym: NO_SYMBOL, lastUsed: 0, pins: 0 }
      )
    );
    for (const [keysym, { keycode }] of this.#bySymbol) {
      if (!keycodes.has(keycode)) this.#bySymbol.delete(keysym);
    }
  }

  /** The number of symbols that can be placed at the same time. */
  get capacity(): number {
    return this.#levels.filter((place) => place.pins === 0).length;
  }

  /** Keycodes that hold a symbol. */
  get mapped(): ReadonlySet<number> {
    return new Set(this.#levels.filter((place) => place.keysym).map((place) => place.keycode));
  }

  find(keysym: number): Stroke | undefined {
    return this.#bySymbol.get(keysym);
  }

  /** The stroke without a modifier: in a shortcut Shift would be one of its keys. */
  findPlain(keysym: number): Stroke | undefined {
    const place = this.#bySymbol.get(keysym);
    return place?.mods === 0 ? place : undefined;
  }

  wantedSymbols(keycode: number): [plain: number, shifted: number] {
    const [plain, shifted] = this.#levels.filter((place) => place.keycode === keycode);
    return pair(plain?.keysym ?? NO_SYMBOL, shifted?.keysym ?? NO_SYMBOL);
  }

  /** Records a press of a symbol: its place is kept until the program has looked it up. */
  touch(keysym: number): void {
    const place = this.#bySymbol.get(keysym);
    if (place) place.lastUsed = performance.now();
  }

  pin(keysym: number): void {
    const place = this.#bySymbol.get(keysym);
    if (place) place.pins++;
  }

  unpin(keysym: number): void {
    const place = this.#bySymbol.get(keysym);
    if (place && place.pins > 0) place.pins--;
  }

  /**
   * Chooses places for symbols: free ones first, then the least recently used. Returns the places
   * that would be reassigned, how many are missing, and the latest use; changes nothing yet.
   * @param needs `plain`: places without a modifier only
   */
  choose(keysyms: readonly number[], needs?: "plain") {
    const wanted = new Set(keysyms);
    const missing = this.#missing(keysyms, needs).length;
    const candidates = this.#levels
      .filter((place) => place.pins === 0 && !(needs === "plain" && place.mods !== 0))
      .filter((place) => !(wanted.has(place.keysym) && this.#holds(place)))
      .sort((a, b) => rank(a) - rank(b));
    const chosen = candidates.slice(0, missing);
    const reused = chosen.filter((place) => place.keysym !== NO_SYMBOL);
    return { chosen, missing, lastUsed: Math.max(0, ...reused.map((place) => place.lastUsed)) };
  }

  /** The symbols that have no place of this kind. */
  #missing(keysyms: readonly number[], needs?: "plain"): number[] {
    return keysyms.filter((keysym) =>
      (needs === "plain" ? this.findPlain(keysym) : this.find(keysym)) === undefined
    );
  }

  /**
   * Gives the chosen places to the symbols that have none, and returns the rows to write. A symbol
   * that has another place stays there, too: a program may not have looked it up yet.
   */
  assign(keysyms: readonly number[], chosen: readonly ScratchLevel[], needs?: "plain"): Remap[] {
    const missing = this.#missing(keysyms, needs);
    missing.forEach((keysym, i) => {
      const place = chosen[i]!;
      this.#leave(place);
      place.keysym = keysym;
      place.lastUsed = 0;
      this.#bySymbol.set(keysym, place);
    });
    return this.#remaps(new Set(chosen.slice(0, missing.length).map((place) => place.keycode)));
  }

  /** Forgets the symbols of keycodes that no longer hold them. */
  forget(keycodes: ReadonlySet<number>): void {
    for (const place of this.#levels.filter(({ keycode }) => keycodes.has(keycode))) {
      this.#leave(place);
      Object.assign(place, { keysym: NO_SYMBOL, lastUsed: 0, pins: 0 });
    }
  }

  /** Forgets all symbols except pinned ones, and returns the rows to write. */
  clear(): Remap[] {
    const cleared = this.#levels.filter((place) => place.keysym !== NO_SYMBOL && place.pins === 0);
    for (const place of cleared) {
      this.#leave(place);
      place.keysym = NO_SYMBOL;
    }
    return this.#remaps(new Set(cleared.map((place) => place.keycode)));
  }

  #leave(place: ScratchLevel): void {
    if (this.#holds(place)) this.#bySymbol.delete(place.keysym);
  }

  /** Whether its symbol has no other place since. */
  #holds(place: ScratchLevel): boolean {
    return this.#bySymbol.get(place.keysym) === place;
  }

  #remaps(keycodes: ReadonlySet<number>): Remap[] {
    return [...keycodes].sort((a, b) => a - b)
      .map((keycode) => ({ keycode, symbols: this.wantedSymbols(keycode) }));
  }
}

/** Sorts free places first, then by last use. */
function rank(place: ScratchLevel): number {
  return place.keysym === NO_SYMBOL ? -1 : place.lastUsed;
}

/**
 * Always fills both levels, because a server turns a single letter into a lower- and upper-case
 * pair.
 */
function pair(plain: number, shifted: number): [number, number] {
  return [plain || shifted, shifted || plain];
}
