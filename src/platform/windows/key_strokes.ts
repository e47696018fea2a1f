/** Finds the keys to press for one of the API's keys, on the layout of the focused window. */

import { ServiceError } from "../../core/errors.ts";
import type { User32 } from "../../../ffi/windows/user32.ts";
import { codePointOfKeysym } from "../keys.ts";
import type { Key } from "../types/mod.ts";
import { findVirtualKey, type VirtualKey, VK } from "./virtual_keys.ts";

/** The calls of user32.dll that strokes need. */
export type LayoutCalls = Pick<
  User32,
  "VkKeyScanExW" | "GetKeyboardLayout" | "GetForegroundWindow" | "GetWindowThreadProcessId"
>;

export type Layout = ReturnType<User32["GetKeyboardLayout"]>;

/**
 * A virtual key and the modifiers that its symbol needs, or a character that is sent as Unicode.
 */
export type KeyStroke =
  | { readonly key: VirtualKey; readonly modifiers: readonly Modifier[] }
  | { readonly units: readonly number[] };

/** Virtual keys of which one must be down; the first is pressed when none is. */
export interface Modifier {
  readonly anyOf: readonly VirtualKey[];
}

const plain = (vk: number): VirtualKey => ({ vk, extended: false });
const extended = (vk: number): VirtualKey => ({ vk, extended: true });

const SHIFT: Modifier = { anyOf: [plain(VK.LSHIFT), plain(VK.RSHIFT)] };
const CONTROL: Modifier = { anyOf: [plain(VK.LCONTROL), extended(VK.RCONTROL)] };
const ALT: Modifier = { anyOf: [plain(VK.LMENU), extended(VK.RMENU)] };
/** Together with Control it means AltGr; programs expect the right key for that. */
const RIGHT_ALT: Modifier = { anyOf: [extended(VK.RMENU), plain(VK.LMENU)] };

/** Bits in the high byte of VkKeyScanExW's result. */
const STATE = { SHIFT: 1, CONTROL: 2, ALT: 4, ALL: 7 } as const;
const NOT_ON_LAYOUT = -1;
/** Letters and digits have their ASCII codes as virtual keys, even on layouts without them. */
const ASCII_KEY = /^[a-z0-9]$/;
const ISO_LEVEL3_SHIFT = 0xfe03;

/** The layout of the focused window. */
export function activeLayout(user32: LayoutCalls): Layout {
  const window = user32.GetForegroundWindow();
  const thread = window === null ? 0 : user32.GetWindowThreadProcessId(window, null);
  return user32.GetKeyboardLayout(thread);
}

export interface StrokeOptions {
  /** A key that is pressed alone may be sent as a character; in a combination it must be a key. */
  readonly alone: boolean;
}

/** @throws ServiceError `unsupported` when Windows or the layout has no such key */
export function findStroke(
  { name, keysym }: Key,
  user32: LayoutCalls,
  { alone }: StrokeOptions,
): KeyStroke {
  const key = findVirtualKey(keysym);
  if (key !== undefined) return { key, modifiers: keysym === ISO_LEVEL3_SHIFT ? [CONTROL] : [] };
  const codePoint = codePointOfKeysym(keysym);
  if (codePoint === undefined) {
    throw new ServiceError("unsupported", `Cannot press "${name}": Windows has no such key`);
  }
  const character = String.fromCodePoint(codePoint);
  const onLayout = layoutStroke(character, user32);
  if (onLayout !== undefined) return onLayout;
  if (alone) return { units: toUtf16Units(character) };
  if (ASCII_KEY.test(character)) {
    return { key: plain(character.toUpperCase().charCodeAt(0)), modifiers: [] };
  }
  throw new ServiceError(
    "unsupported",
    `Cannot press "${name}" together with other keys: it is not on the active keyboard layout`,
  );
}

/** The UTF-16 units of a character: two for those beyond U+FFFF. */
export function toUtf16Units(character: string): number[] {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
}

function layoutStroke(character: string, user32: LayoutCalls): KeyStroke | undefined {
  if (character.length > 1) return undefined;
  const scan = user32.VkKeyScanExW(character.charCodeAt(0), activeLayout(user32));
  const state = (scan >> 8) & 0xff;
  if (scan === NOT_ON_LAYOUT || (state & ~STATE.ALL) !== 0) return undefined;
  return { key: plain(scan & 0xff), modifiers: listModifiers(state) };
}

function listModifiers(state: number): Modifier[] {
  const altGr = (state & STATE.CONTROL) !== 0 && (state & STATE.ALT) !== 0;
  return [
    ...((state & STATE.SHIFT) !== 0 ? [SHIFT] : []),
    ...((state & STATE.CONTROL) !== 0 ? [CONTROL] : []),
    ...((state & STATE.ALT) !== 0 ? [altGr ? RIGHT_ALT : ALT] : []),
  ];
}
