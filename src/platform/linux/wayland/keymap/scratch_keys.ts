/**
 * Characters and keys that a layout lacks, on keys that it does not use: for keymaps that are sent
 * to the compositor.
 */

import { type Keymap, type KeyStroke, XKB_OFFSET } from "./keymap.ts";

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

// Writes keymaps in XKB's text format: a complete one with further symbols on some of its keys.

/** What our keymaps are called, so that they are known when the compositor reports them. */
const NAME = "computer_control";
const LAST_KEYCODE = 255;
/** The names of the real modifiers by their bits. */
const MODIFIERS = ["Shift", "Lock", "Control", "Mod1", "Mod2", "Mod3", "Mod4", "Mod5"];

/** One symbol on a key. */
interface ScratchKey {
  /** The kernel's number. */
  readonly keycode: number;
  readonly level: number;
}

interface FurtherSymbols {
  /** Mask of the real modifiers for each level; the first is 0. */
  readonly levels: readonly number[];
  /** The kernel's number of a key -> its keysym at each level, 0 for none. */
  readonly symbols: ReadonlyMap<number, readonly number[]>;
}

/**
 * @param base a keymap as libxkbcommon writes it
 * @throws Error when it has another form
 */
function writeKeymap(base: string, { levels, symbols }: FurtherSymbols): string {
  const names = readNames(base);
  const added: string[] = [];
  const keys: string[] = [];
  for (const [keycode, keysyms] of symbols) {
    const number = keycode + XKB_OFFSET;
    let name = names.get(number);
    if (name === undefined) added.push(`\t<${name = `Z${number}`}> = ${number};`);
    const list = keysyms.map(writeKeysym).join(", ");
    keys.push(`\treplace key <${name}> { type= "${NAME}", symbols[1]= [ ${list} ] };`);
  }
  const text = raiseMaximum(base).replaceAll(
    /^xkb_(keycodes|types|compatibility|symbols|geometry) .*\{$/gm,
    `xkb_$1 "${NAME}" {`,
  );
  return [
    { section: "xkb_keycodes", lines: added },
    { section: "xkb_types", lines: [writeType(levels)] },
    { section: "xkb_symbols", lines: keys },
  ].reduce(append, text);
}

/** Whether a keymap was made by {@link writeKeymap}. */
export function isOurKeymap(text: string): boolean {
  return text.includes(`xkb_symbols "${NAME}"`);
}

/** XKB's number of a key -> its name. */
function readNames(text: string): Map<number, string> {
  const end = text.indexOf("\n};");
  const section = text.slice(0, end);
  return new Map(
    [...section.matchAll(/^\s*<([^>]+)>\s*=\s*(\d+);/gm)].map(([, name, number]) => [
      Number(number),
      name!,
    ]),
  );
}

function raiseMaximum(text: string): string {
  return text.replace(
    /^(\s*maximum\s*=\s*)(\d+);/m,
    (_, start, maximum) => `${start}${Math.max(LAST_KEYCODE, Number(maximum))};`,
  );
}

function writeKeysym(keysym: number): string {
  return keysym === 0 ? "NoSymbol" : `0x${keysym.toString(16)}`;
}

function writeType(levels: readonly number[]): string {
  const all = levels.reduce((mask, modifiers) => mask | modifiers, 0);
  const maps = levels.slice(1).map((modifiers, index) =>
    `\t\tmap[${nameModifiers(modifiers)}]= Level${index + 2};`
  );
  return [`\ttype "${NAME}" {`, `\t\tmodifiers= ${nameModifiers(all)};`, ...maps, "\t};"].join(
    "\n",
  );
}

function nameModifiers(mask: number): string {
  return MODIFIERS.filter((_, bit) => mask & (1 << bit)).join("+") || "none";
}

function append(
  text: string,
  { section, lines }: { readonly section: string; readonly lines: readonly string[] },
): string {
  const start = text.indexOf(`\n${section} "`);
  const end = text.indexOf("\n};", start);
  if (start < 0 || end < 0) throw new Error(`The keymap has no section "${section}"`);
  if (lines.length === 0) return text;
  return `${text.slice(0, end)}\n${lines.join("\n")}${text.slice(end)}`;
}
