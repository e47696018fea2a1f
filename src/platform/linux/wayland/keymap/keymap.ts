/** A compositor's keymap: which key, with which modifiers, makes which symbol. */

import { codePointOfKeysym, keysymOfCodePoint } from "../../../keys.ts";
import { bitCount, LEVEL_SHIFTS, NUM_LOCK } from "../../x11/keymap.ts";
import {
  type CompiledKeymap,
  compileKeymap,
  type KeyboardState,
  type KeymapSource,
  type KeyStroke,
  XKB_OFFSET,
} from "./compiled_keymap.ts";

/** What a key does to the modifiers while it is down, and when it is pressed. */
interface ModifierKey {
  readonly held: number;
  readonly locked: number;
}

/** `KP_Space` to `KP_Equal`: programs tell them from the keys that have the same characters. */
const KEYPAD = { first: 0xff80, last: 0xffbd } as const;
/** The block of letters and digits: what it has is taken from there (`KEY_ESC` to `KEY_SPACE`). */
const MAIN_BLOCK = { first: 1, last: 57 } as const;
const KEYPAD_ASTERISK = 55;
/** X programs know no greater keycodes, and Chromium takes no characters from them. */
const LAST_FOR_CHARACTERS = 255 - XKB_OFFSET;

/** Immutable; holds no native memory. */
export class Keymap {
  /** Per group: keysym -> stroke. */
  readonly #strokes: readonly Map<number, KeyStroke>[];
  /** Keycodes that have a character. */
  readonly #written: ReadonlySet<number>;
  readonly #modifiers: ReadonlyMap<number, ModifierKey>;
  /** The bit of a real modifier that selects levels -> the key that holds it down. */
  readonly modifierKeys: ReadonlyMap<number, number>;
  /** The mask of Num Lock, 0 where the keymap has none. */
  readonly numLockMask: number;

  constructor(
    /** The keymap as libxkbcommon writes it: complete, without references to other files. */
    readonly text: string,
    compiled: CompiledKeymap,
  ) {
    const keys = compiled.keycodes;
    const { state } = compiled;
    this.#modifiers = findModifiers(state, keys);
    state.set({ modifiers: 0, locked: 0, group: 0 });
    const symbols = new Map(keys.map((keycode) => [keycode, state.symbol(keycode)]));
    this.#written = new Set(
      keys.filter((keycode) => codePointOfKeysym(symbols.get(keycode)!) !== undefined),
    );
    this.modifierKeys = findLevelKeys(this.#modifiers, symbols);
    this.numLockMask = keys.reduce(
      (mask, keycode) =>
        symbols.get(keycode) === NUM_LOCK ? mask | this.modifiersOf(keycode).locked : mask,
      0,
    );
    const combinations = combine([...this.modifierKeys.keys()], this.numLockMask);
    this.#strokes = Array.from(
      { length: compiled.groups },
      (_, group) => indexGroup(state, keys, { group, combinations }),
    );
  }

  /**
   * The stroke for a keysym; the legacy and the Unicode keysym of a character are equivalent.
   * @param group the only layout to look in; every one when absent, the first one first
   */
  keyFor(keysym: number, group?: number): KeyStroke | undefined {
    if (group !== undefined) return this.#strokes[group]?.get(keysym);
    for (const strokes of this.#strokes) {
      const stroke = strokes.get(keysym);
      if (stroke) return stroke;
    }
    return undefined;
  }

  modifiersOf(keycode: number): ModifierKey {
    return this.#modifiers.get(keycode) ?? NO_MODIFIER;
  }

  /** The keys to hold for the modifiers in `mask`. */
  keysFor(mask: number): number[] {
    return [...this.modifierKeys].filter(([bit]) => mask & bit).map(([, keycode]) => keycode);
  }

  /** Whether a key has a character in the first layout. */
  hasCharacter(keycode: number): boolean {
    return this.#written.has(keycode);
  }
}

/**
 * Reads a keymap, such as the text that `wl_keyboard.keymap` brings; without a source the default of
 * this system. Takes a few milliseconds.
 * @throws Error when libxkbcommon is missing, or cannot read the text, or does not find the layouts
 */
export function openKeymap(source: KeymapSource = {}): Keymap {
  using compiled = compileKeymap(source);
  return new Keymap(compiled.text, compiled);
}

const NO_MODIFIER: ModifierKey = { held: 0, locked: 0 };

/** Presses every key once, to see what it does to the modifiers. */
function findModifiers(
  state: KeyboardState,
  keycodes: readonly number[],
): Map<number, ModifierKey> {
  const found = new Map<number, ModifierKey>();
  for (const keycode of keycodes) {
    state.set({ modifiers: 0, locked: 0, group: 0 });
    const { held, locked } = state.press(keycode);
    state.release(keycode);
    // a key that locks also holds its modifier down, but not for the keys that follow
    if (held || locked) found.set(keycode, { held: held & ~locked, locked });
  }
  return found;
}

function findLevelKeys(
  modifiers: ReadonlyMap<number, ModifierKey>,
  symbols: ReadonlyMap<number, number>,
): Map<number, number> {
  const keys = new Map<number, number>();
  for (const [keycode, { held }] of modifiers) {
    const isShift = LEVEL_SHIFTS.has(symbols.get(keycode) ?? 0);
    if (isShift && bitCount(held) === 1 && !keys.has(held)) keys.set(held, keycode);
  }
  return keys;
}

type Combination = Pick<KeyStroke, "modifiers" | "locked">;

/** Every combination of modifiers to hold, the simplest first. */
function combine(bits: readonly number[], numLock: number): Combination[] {
  const masks = Array.from(
    { length: 1 << bits.length },
    (_, choice) => bits.reduce((mask, bit, i) => choice & (1 << i) ? mask | bit : mask, 0),
  ).sort((a, b) => bitCount(a) - bitCount(b));
  const unlocked = masks.map((modifiers) => ({ modifiers, locked: 0 }));
  const [none, ...others] = unlocked;
  return numLock === 0 ? unlocked : [none!, { modifiers: 0, locked: numLock }, ...others];
}

/** Keysym -> the simplest stroke in one group; keys of the main block come before all others. */
function indexGroup(
  state: KeyboardState,
  keycodes: readonly number[],
  { group, combinations }: { group: number; combinations: readonly Combination[] },
): Map<number, KeyStroke> {
  const strokes = new Map<number, KeyStroke>();
  const blocks = [keycodes.filter(isInMainBlock), keycodes.filter((each) => !isInMainBlock(each))];
  for (const block of blocks) {
    for (const { modifiers, locked } of combinations) {
      state.set({ modifiers, locked, group });
      for (const keycode of block) {
        const stroke = { keycode, modifiers, locked, group };
        offer(strokes, state.symbol(keycode), stroke);
      }
    }
  }
  return strokes;
}

function isInMainBlock(keycode: number): boolean {
  const { first, last } = MAIN_BLOCK;
  return keycode >= first && keycode <= last && keycode !== KEYPAD_ASTERISK;
}

function offer(strokes: Map<number, KeyStroke>, keysym: number, stroke: KeyStroke): void {
  if (keysym === 0) return;
  const codePoint = codePointOfKeysym(keysym);
  if (codePoint !== undefined && stroke.keycode > LAST_FOR_CHARACTERS) return;
  if (!strokes.has(keysym)) strokes.set(keysym, stroke);
  if (codePoint === undefined || (keysym >= KEYPAD.first && keysym <= KEYPAD.last)) return;
  const canonical = keysymOfCodePoint(codePoint);
  if (!strokes.has(canonical)) strokes.set(canonical, stroke);
}

// Writes keymaps in XKB's text format: a complete one with further symbols on some of its keys.

/** What our keymaps are called, so that they are known when the compositor reports them. */
const NAME = "computer_control";
const LAST_KEYCODE = 255;
/** The names of the real modifiers by their bits. */
const MODIFIERS = ["Shift", "Lock", "Control", "Mod1", "Mod2", "Mod3", "Mod4", "Mod5"];

/** One symbol on a key. */
export interface ScratchKey {
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
export function writeKeymap(base: string, { levels, symbols }: FurtherSymbols): string {
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
