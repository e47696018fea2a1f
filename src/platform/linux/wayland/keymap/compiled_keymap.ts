/** A keymap as libxkbcommon has it in memory, to be asked and then freed. */

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

/** XKB's keycodes are those of the kernel plus this. */
export const XKB_OFFSET = 8;

let opened: XkbcommonLibrary | undefined;

/** @throws Error when there is no libxkbcommon */
function library(): XkbcommonLibrary {
  try {
    return opened ??= openXkbcommonLibrary();
  } catch (error) {
    throw new Error(`libxkbcommon.so.0 cannot be loaded: ${(error as Error).message}`);
  }
}

export interface CompiledKeymap extends Disposable {
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
export type KeymapSource = string | { readonly layouts?: string };

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
