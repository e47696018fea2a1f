/** A compositor's keymap: which key, with which modifiers, makes which symbol. */

import {
  KEY_DIRECTION,
  KEYMAP_FORMAT_TEXT_V1,
  LOG_LEVEL_CRITICAL,
  openXkbcommonLibrary,
  RULE_NAMES,
  STATE_MODS,
  type XkbcommonLibrary,
} from "../../../../../ffi/linux/xkbcommon.ts";
import { pointerAddress } from "../../../../../ffi/memory.ts";
import { codePointOfKeysym, keysymOfCodePoint } from "../../../keys.ts";
import { bitCount, LEVEL_SHIFTS, NUM_LOCK } from "../../x11/keymap.ts";

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
/** XKB's keycodes are those of the kernel plus this. */
export const XKB_OFFSET = 8;

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

// A keymap as libxkbcommon has it in memory, to be asked and then freed.

/** How to make a symbol. */
export interface KeyStroke {
  /** As in `linux/input-event-codes.h`; XKB's number is greater by `XKB_OFFSET`. */
  readonly keycode: number;
  /** Mask of the real modifiers to hold; `Keymap.modifierKeys` has their keys. */
  readonly modifiers: number;
  /** Mask of the real modifiers to lock: no key holds them down (Num Lock). */
  readonly locked: number;
  /** The layout in which the key has the symbol, from 0. */
  readonly group: number;
}

let opened: XkbcommonLibrary | undefined;

/** @throws Error when there is no libxkbcommon */
function library(): XkbcommonLibrary {
  try {
    return opened ??= openXkbcommonLibrary();
  } catch (error) {
    throw new Error(`libxkbcommon.so.0 cannot be loaded: ${(error as Error).message}`);
  }
}

interface CompiledKeymap extends Disposable {
  readonly text: string;
  readonly groups: number;
  /** The keys that have symbols, by the kernel's numbers, ascending. */
  readonly keycodes: readonly number[];
  readonly state: KeyboardState;
}

/**
 * A keymap in the text format of XKB, or layouts of this computer's database by their names, such as
 * `us` and `us,ru`: those in `XKB_DEFAULT_LAYOUT` when absent.
 */
type KeymapSource = string | { readonly layouts?: string };

/**
 * Compiles a keymap.
 * @throws Error when libxkbcommon is missing, or cannot read the text, or does not find the layouts
 */
export function compileKeymap(source: KeymapSource): CompiledKeymap {
  const xkb = library();
  using freed = new DisposableStack();
  const context = requirePointer(xkb.xkb_context_new(0), "libxkbcommon has no context");
  freed.defer(() => xkb.xkb_context_unref(context));
  xkb.xkb_context_set_log_level(context, LOG_LEVEL_CRITICAL);
  const isText = typeof source === "string";
  const keymap = requirePointer(
    isText ? readKeymap(xkb, context, source) : findKeymap(xkb, context, source.layouts ?? ""),
    isText ? "the keymap cannot be read" : "no such keyboard layout is installed",
  );
  freed.defer(() => xkb.xkb_keymap_unref(keymap));
  const pointer = requirePointer(xkb.xkb_state_new(keymap), "the keymap has no state");
  freed.defer(() => xkb.xkb_state_unref(pointer));
  const all = freed.move();
  return {
    text: writeKeymap(xkb, keymap),
    groups: xkb.xkb_keymap_num_layouts(keymap),
    keycodes: listKeycodes(xkb, keymap),
    state: new KeyboardState(xkb, pointer),
    [Symbol.dispose]: () => all[Symbol.dispose](),
  };
}

/** @param layouts empty for the default */
function findKeymap(
  xkb: XkbcommonLibrary,
  context: Deno.PointerObject,
  layouts: string,
): Deno.PointerValue {
  const name = new TextEncoder().encode(`${layouts}\0`);
  const names = new Uint8Array(RULE_NAMES.bytes);
  const address = layouts === "" ? 0n : pointerAddress(name);
  new DataView(names.buffer).setBigUint64(RULE_NAMES.layout, address, true);
  return xkb.xkb_keymap_new_from_names(context, names, 0);
}

function readKeymap(
  xkb: XkbcommonLibrary,
  context: Deno.PointerObject,
  text: string,
): Deno.PointerValue {
  const bytes = new TextEncoder().encode(text);
  const end = bytes.indexOf(0); // the text that a compositor sends ends with NUL
  const length = BigInt(end < 0 ? bytes.length : end);
  return xkb.xkb_keymap_new_from_buffer(context, bytes, length, KEYMAP_FORMAT_TEXT_V1, 0);
}

/** @throws Error when the memory does not suffice */
function writeKeymap(xkb: XkbcommonLibrary, keymap: Deno.PointerObject): string {
  const pointer = requirePointer(
    xkb.xkb_keymap_get_as_string(keymap, KEYMAP_FORMAT_TEXT_V1),
    "the keymap cannot be written",
  );
  const text = Deno.UnsafePointerView.getCString(pointer);
  xkb.free(pointer);
  return text;
}

function listKeycodes(xkb: XkbcommonLibrary, keymap: Deno.PointerObject): number[] {
  const keycodes: number[] = [];
  const last = xkb.xkb_keymap_max_keycode(keymap);
  for (let key = xkb.xkb_keymap_min_keycode(keymap); key <= last; key++) {
    if (key >= XKB_OFFSET && xkb.xkb_keymap_num_layouts_for_key(keymap, key) > 0) {
      keycodes.push(key - XKB_OFFSET);
    }
  }
  return keycodes;
}

/** A keyboard in some state of its modifiers. */
export class KeyboardState {
  constructor(
    private readonly xkb: XkbcommonLibrary,
    private readonly pointer: Deno.PointerObject,
  ) {}

  set({ modifiers, locked, group }: Omit<KeyStroke, "keycode">): void {
    this.xkb.xkb_state_update_mask(this.pointer, modifiers, 0, locked, 0, 0, group);
  }

  /** The symbol that the key makes now; 0 for none, or several. */
  symbol(keycode: number): number {
    return this.xkb.xkb_state_key_get_one_sym(this.pointer, keycode + XKB_OFFSET);
  }

  press(keycode: number): { held: number; locked: number } {
    this.xkb.xkb_state_update_key(this.pointer, keycode + XKB_OFFSET, KEY_DIRECTION.down);
    const held = this.xkb.xkb_state_serialize_mods(this.pointer, STATE_MODS.depressed);
    const locked = this.xkb.xkb_state_serialize_mods(this.pointer, STATE_MODS.locked);
    return { held, locked };
  }

  release(keycode: number): void {
    this.xkb.xkb_state_update_key(this.pointer, keycode + XKB_OFFSET, KEY_DIRECTION.up);
  }
}

function requirePointer(pointer: Deno.PointerValue, otherwise: string): Deno.PointerObject {
  if (pointer === null) throw new Error(otherwise);
  return pointer;
}
