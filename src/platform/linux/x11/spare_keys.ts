/** Symbols that are not on the layout, mapped to spare keycodes: plain and Shift level each hold one. */

import type { Stroke } from "./keymap.ts";
import { MOD } from "./keymap.ts";

const NO_SYMBOL = 0;

/** One level of a spare keycode. */
interface Place {
  readonly keycode: number;
  readonly mods: number;
  keysym: number;
  /** `performance.now()` of the last press, 0 before the first. */
  lastUsed: number;
  /** Pressed keys that need the symbol to stay. */
  pins: number;
}

/** A keycode whose symbols must be written; two zeros: it is given back. */
export interface Remap {
  readonly keycode: number;
  readonly symbols: readonly [plain: number, shifted: number];
}

export class SpareKeys {
  /** Plain levels first: they need no modifier. */
  #places: Place[] = [];
  readonly #bySymbol = new Map<number, Place>();

  /** Takes these keycodes: symbols on others are forgotten. */
  use(keycodes: ReadonlySet<number>): void {
    const places = new Map(this.#places.map((place) => [`${place.mods} ${place.keycode}`, place]));
    this.#places = [0, MOD.shift].flatMap((mods) =>
      [...keycodes].sort((a, b) => a - b).map((keycode) =>
        places.get(`${mods} ${keycode}`) ??
          { keycode, mods, keysym: NO_SYMBOL, lastUsed: 0, pins: 0 }
      )
    );
    for (const [keysym, { keycode }] of this.#bySymbol) {
      if (!keycodes.has(keycode)) this.#bySymbol.delete(keysym);
    }
  }

  /** How many symbols can be placed at once. */
  get capacity(): number {
    return this.#places.filter((place) => place.pins === 0).length;
  }

  /** Keycodes that hold a symbol. */
  get mapped(): ReadonlySet<number> {
    return new Set(this.#places.filter((place) => place.keysym).map((place) => place.keycode));
  }

  find(keysym: number): Stroke | undefined {
    return this.#bySymbol.get(keysym);
  }

  /** The symbols a keycode should have. */
  symbolsOf(keycode: number): [plain: number, shifted: number] {
    const [plain, shifted] = this.#places.filter((place) => place.keycode === keycode);
    return pair(plain?.keysym ?? NO_SYMBOL, shifted?.keysym ?? NO_SYMBOL);
  }

  /** Notes that a symbol was pressed: its place stays until the program has looked it up. */
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
   * Chooses places for symbols: free ones first, then the least recently used.
   * Returns the places that would be taken from other symbols and the latest use of one of them; nothing is changed yet.
   */
  choose(
    keysyms: readonly number[],
  ): { readonly chosen: readonly Place[]; readonly lastUsed: number } {
    const wanted = new Set(keysyms);
    const missing = keysyms.filter((keysym) => !this.#bySymbol.has(keysym)).length;
    const candidates = this.#places
      .filter((place) => place.pins === 0 && !wanted.has(place.keysym))
      .sort((a, b) => rank(a) - rank(b));
    const chosen = candidates.slice(0, missing);
    const reused = chosen.filter((place) => place.keysym !== NO_SYMBOL);
    return { chosen, lastUsed: Math.max(0, ...reused.map((place) => place.lastUsed)) };
  }

  /** Gives the chosen places to the symbols that have none, and tells what to write. */
  assign(keysyms: readonly number[], chosen: readonly Place[]): Remap[] {
    const missing = keysyms.filter((keysym) => !this.#bySymbol.has(keysym));
    missing.forEach((keysym, i) => {
      const place = chosen[i]!;
      this.#bySymbol.delete(place.keysym);
      place.keysym = keysym;
      place.lastUsed = 0;
      this.#bySymbol.set(keysym, place);
    });
    return this.#remaps(new Set(chosen.slice(0, missing.length).map((place) => place.keycode)));
  }

  /** Forgets the symbols of keycodes that have them no longer. */
  forget(keycodes: ReadonlySet<number>): void {
    for (const place of this.#places.filter(({ keycode }) => keycodes.has(keycode))) {
      this.#bySymbol.delete(place.keysym);
      Object.assign(place, { keysym: NO_SYMBOL, lastUsed: 0, pins: 0 });
    }
  }

  /** Forgets all symbols but pinned ones, and tells what to write. */
  clear(): Remap[] {
    const cleared = this.#places.filter((place) => place.keysym !== NO_SYMBOL && place.pins === 0);
    for (const place of cleared) {
      this.#bySymbol.delete(place.keysym);
      place.keysym = NO_SYMBOL;
    }
    return this.#remaps(new Set(cleared.map((place) => place.keycode)));
  }

  #remaps(keycodes: ReadonlySet<number>): Remap[] {
    return [...keycodes].sort((a, b) => a - b)
      .map((keycode) => ({ keycode, symbols: this.symbolsOf(keycode) }));
  }
}

/** Free places first, then by age. */
function rank(place: Place): number {
  return place.keysym === NO_SYMBOL ? -1 : place.lastUsed;
}

/** Both levels are always written: a server makes upper and lower case of a lone letter. */
function pair(plain: number, shifted: number): [number, number] {
  return [plain || shifted, shifted || plain];
}
