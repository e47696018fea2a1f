/**
 * Characters and keys that a layout lacks, on keys that it does not use: for keymaps that are sent
 * to the compositor.
 */

import type { KeyStroke } from "./compiled_keymap.ts";
import { type Keymap, type ScratchKey, writeKeymap } from "./keymap.ts";

/**
 * Keys, by the kernel's numbers, that no program takes for anything but their symbol. (Chromium
 * knows some keys by their number, such as F5 and Back, and ignores those it does not know.) F13 to
 * F24 come first, because no layout has characters there.
 */
const SCRATCH_KEYCODES: readonly number[] = [
  ...[183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194], // F13 to F24
  ...[117, 118, 120, 121, 129, 131, 132, 133, 134, 135, 136, 137, 138], // Again to Help
  ...[85, 89, 90, 91, 92, 93, 94, 122, 123, 124], // keys of Japanese and Korean keyboards
];
const SHIFT = 1;

interface Slot extends ScratchKey {
  readonly stroke: KeyStroke;
}

export class ScratchKeys {
  readonly #slots: readonly Slot[];
  /** Keysym -> its slot; the one used longest ago comes first. */
  readonly #remapped = new Map<number, Slot>();
  readonly #levels: readonly number[];

  constructor(readonly base: Keymap) {
    this.#levels = findLevels(base);
    const keycodes = chooseKeycodes(base);
    this.#slots = this.#levels.flatMap((modifiers, level) =>
      keycodes.map((keycode) => ({
        keycode,
        level,
        stroke: { keycode, modifiers, locked: 0, group: 0 },
      }))
    );
  }

  /** The most symbols that one keymap has in addition to the layout's. */
  get capacity(): number {
    return this.#slots.length;
  }

  /** The stroke for a symbol, on the layout or on a scratch key. */
  find(keysym: number): KeyStroke | undefined {
    const slot = this.#remapped.get(keysym);
    if (slot === undefined) return this.#onLayout(keysym);
    this.#remapped.delete(keysym); // ... and back at the end, as the one used last
    this.#remapped.set(keysym, slot);
    return slot.stroke;
  }

  /** As {@link find}, but on no scratch key with a modifier: Shift would be a key of the shortcut. */
  findPlain(keysym: number): KeyStroke | undefined {
    const stroke = this.find(keysym);
    return this.#remapped.get(keysym)?.stroke.modifiers ? undefined : stroke;
  }

  /** Whether the symbol has, or needs, a scratch key. */
  isOffLayout(keysym: number): boolean {
    return this.#remapped.has(keysym) || this.#onLayout(keysym) === undefined;
  }

  /** Whether the key has another symbol than the layout gives it. */
  isScratch(keycode: number): boolean {
    for (const slot of this.#remapped.values()) if (slot.keycode === keycode) return true;
    return false;
  }

  /**
   * Puts symbols on scratch keys; those used longest ago give up theirs. `keymap` must then be sent.
   * @param pinned symbols that keep their keys, because these are down
   * @param plain those of `keysyms` that need a key without a modifier
   * @returns whether any symbol lost its key
   * @throws RangeError for more symbols than {@link capacity}
   */
  remap(
    keysyms: readonly number[],
    pinned: ReadonlySet<number>,
    plain: ReadonlySet<number> = new Set(),
  ): boolean {
    const wanted = new Set([...plain, ...keysyms]); // those that fit few keys choose first
    const fits = (keysym: number, { stroke }: Slot) => stroke.modifiers === 0 || !plain.has(keysym);
    const kept = [...this.#remapped].filter(([keysym, slot]) =>
      pinned.has(keysym) || (wanted.has(keysym) && fits(keysym, slot))
    );
    const keptSymbols = new Set(kept.map(([keysym]) => keysym));
    const missing = [...wanted].filter((keysym) => !keptSymbols.has(keysym));
    if (missing.length + kept.length > this.capacity) throw new RangeError("too many symbols");
    let hasEvicted = false;
    for (const keysym of missing) if (this.#remapped.delete(keysym)) hasEvicted = true;
    const taken = new Set([...this.#remapped.values()]);
    const free = new Set(this.#slots.filter((slot) => !taken.has(slot)));
    for (const keysym of missing) {
      let slot = free.values().find((each) => fits(keysym, each));
      if (slot === undefined) {
        slot = this.#evict(keptSymbols, (each) => fits(keysym, each));
        hasEvicted = true;
      }
      free.delete(slot);
      this.#remapped.set(keysym, slot);
      keptSymbols.add(keysym);
    }
    return hasEvicted;
  }

  /** The text of a keymap with the layout and the symbols on scratch keys. */
  get keymap(): string {
    const symbols = new Map<number, number[]>();
    for (const [keysym, { keycode, level }] of this.#remapped) {
      symbols.getOrInsertComputed(keycode, () => this.#levels.map(() => 0))[level] = keysym;
    }
    return writeKeymap(this.base.text, { levels: this.#levels, symbols });
  }

  #onLayout(keysym: number): KeyStroke | undefined {
    const stroke = this.base.keyFor(keysym);
    return stroke && this.isScratch(stroke.keycode) ? undefined : stroke;
  }

  #evict(kept: ReadonlySet<number>, fits: (slot: Slot) => boolean): Slot {
    for (const [keysym, slot] of this.#remapped) {
      if (kept.has(keysym) || !fits(slot)) continue;
      this.#remapped.delete(keysym);
      return slot;
    }
    throw new RangeError("too many symbols");
  }
}

/** The modifiers of each level: none, Shift, the third level's key, both. */
function findLevels({ modifierKeys }: Keymap): number[] {
  const others = [...modifierKeys.keys()].filter((bit) => bit !== SHIFT);
  const bits = [...(modifierKeys.has(SHIFT) ? [SHIFT] : []), ...others.slice(0, 1)];
  return bits.reduce((levels, bit) => [...levels, ...levels.map((each) => each | bit)], [0]);
}

/** Those that the layout uses for neither characters nor modifiers. */
function chooseKeycodes(base: Keymap): number[] {
  return SCRATCH_KEYCODES.filter((keycode) => {
    const { held, locked } = base.modifiersOf(keycode);
    return held === 0 && locked === 0 && !base.hasCharacter(keycode);
  });
}
