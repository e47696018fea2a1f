/** Finds the keycode and modifiers for a symbol in the active group. */

import { codePointOfKeysym, keysymOfCodePoint } from "../../keys.ts";
import type { KeySymbols, KeyType, XkbMap } from "./xkb_map.ts";

/** How to produce a symbol: a keycode, and the modifiers to hold. */
export interface Stroke {
  readonly keycode: number;
  /** Mask of the real modifiers that must be down. */
  readonly mods: number;
}

export const MOD = { shift: 1, lock: 2, control: 4 } as const;

interface KeymapOptions {
  readonly group: number;
  /** Locked modifiers (Num Lock), which count as held. */
  readonly locked: number;
  /** Scratch keycodes: their symbols are not part of the layout and change over time. */
  readonly scratch: ReadonlySet<number>;
}

const NO_SYMBOL = 0;
/** Keysyms of keys that select a level while held. */
export const LEVEL_SHIFTS: ReadonlySet<number> = new Set([
  0xffe1, // Shift_L
  0xffe2, // Shift_R
  0xfe03, // ISO_Level3_Shift
  0xfe11, // ISO_Level5_Shift
]);
export const NUM_LOCK = 0xff7f;

export class Keymap {
  readonly #strokes = new Map<number, Stroke>();
  /** Modifier bit -> the keycode that sets it. */
  readonly #levelKeys: ReadonlyMap<number, number>;
  /** The modifier bit of Num Lock, which typing leaves alone. */
  readonly numLockMask: number;

  constructor(private readonly map: XkbMap, private readonly options: KeymapOptions) {
    this.#levelKeys = this.#findLevelKeys();
    const numLock = map.keys.find((key) => this.#firstSymbol(key) === NUM_LOCK);
    this.numLockMask = numLock === undefined ? 0 : this.realModifiers(numLock.keycode);
    this.#index();
  }

  /** The stroke for a keysym; the legacy and the Unicode keysym of a character are equivalent. */
  find(keysym: number): Stroke | undefined {
    return this.#strokes.get(keysym);
  }

  /** The stroke for a keysym in an inactive group: programs also look there for shortcuts. */
  findInOtherGroups(keysym: number): Stroke | undefined {
    for (const key of this.map.keys) {
      if (this.options.scratch.has(key.keycode)) continue;
      for (const { type, keysyms } of key.groups) {
        const mods = this.#reachableLevels(type).get(keysyms.indexOf(keysym));
        if (mods !== undefined) return { keycode: key.keycode, mods };
      }
    }
    return undefined;
  }

  /** The keycodes to hold for the modifiers in `mask`. */
  modifierKeycodes(mask: number): number[] {
    return [...this.#levelKeys].filter(([bit]) => mask & bit).map(([, keycode]) => keycode);
  }

  /** The real modifiers that a key sets. */
  realModifiers(keycode: number): number {
    return this.map.modifiers.get(keycode) ?? 0;
  }

  /** The symbol of a key that sets `bit`, to name the modifier. */
  modifierSymbol(bit: number): number | undefined {
    const keys = this.map.keys.filter(({ keycode }) => this.realModifiers(keycode) === bit);
    return keys.map((key) => this.#firstSymbol(key)).find((symbol) => symbol !== NO_SYMBOL);
  }

  #index(): void {
    const reachable = new Map<KeyType, Map<number, number>>();
    for (const key of this.map.keys) {
      const group = this.#group(key);
      if (!group || this.options.scratch.has(key.keycode)) continue;
      const levels = reachable.getOrInsertComputed(
        group.type,
        (type) => this.#reachableLevels(type),
      );
      group.keysyms.forEach((keysym, level) => {
        const mods = levels.get(level);
        if (keysym !== NO_SYMBOL && mods !== undefined) {
          this.#offer(keysym, { keycode: key.keycode, mods });
        }
      });
    }
  }

  #offer(keysym: number, stroke: Stroke): void {
    this.#keepSimpler(keysym, stroke);
    const codePoint = codePointOfKeysym(keysym);
    if (codePoint === undefined) return;
    const canonical = keysymOfCodePoint(codePoint);
    if (canonical !== keysym) this.#keepSimpler(canonical, stroke);
  }

  #keepSimpler(keysym: number, stroke: Stroke): void {
    const known = this.#strokes.get(keysym);
    if (!known || bitCount(stroke.mods) < bitCount(known.mods)) this.#strokes.set(keysym, stroke);
  }

  /** Level -> the fewest modifiers that select it. */
  #reachableLevels(type: KeyType): Map<number, number> {
    const bits = [...this.#levelKeys.keys()];
    const levels = new Map<number, number>();
    for (let choice = 0; choice < 1 << bits.length; choice++) {
      const mods = bits.reduce((mask, bit, i) => choice & (1 << i) ? mask | bit : mask, 0);
      const active = (mods | this.options.locked) & type.mask;
      const level = type.entries.find((entry) => entry.mods === active)?.level ?? 0;
      const known = levels.get(level);
      if (known === undefined || bitCount(mods) < bitCount(known)) levels.set(level, mods);
    }
    return levels;
  }

  #findLevelKeys(): Map<number, number> {
    const keys = new Map<number, number>();
    for (const key of this.map.keys) {
      const mask = this.realModifiers(key.keycode);
      if (!LEVEL_SHIFTS.has(this.#firstSymbol(key)) || bitCount(mask) !== 1 || keys.has(mask)) {
        continue;
      }
      keys.set(mask, key.keycode);
    }
    return keys;
  }

  #firstSymbol(key: KeySymbols): number {
    return this.#group(key)?.keysyms[0] ?? NO_SYMBOL;
  }

  /** The effective group of a key when the group of the options is active. */
  #group({ groups, groupInfo }: KeySymbols): KeySymbols["groups"][number] | undefined {
    const { group } = this.options;
    if (group < groups.length) return groups[group];
    if (groups.length === 0) return undefined;
    const outOfRange = groupInfo & 0xc0;
    if (outOfRange === 0x40) return groups[groups.length - 1]; // clamp
    if (outOfRange === 0x80) return groups[(groupInfo & 0x30) >> 4] ?? groups[0]; // redirect
    return groups[group % groups.length]; // wrap
  }
}

export function bitCount(mask: number): number {
  let count = 0;
  for (let bits = mask; bits; bits &= bits - 1) count++;
  return count;
}
