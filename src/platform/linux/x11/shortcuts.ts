/**
 * Defines which keys turn a combination into a shortcut, and where a Latin letter is when no layout
 * has it.
 */

import type { Stroke } from "./keymap.ts";

/** Control, Meta, Alt, Super and Hyper, left and right. */
const COMMAND_KEYS: ReadonlySet<number> = new Set([
  ...[0xffe3, 0xffe4],
  ...[0xffe7, 0xffe8, 0xffe9, 0xffea, 0xffeb, 0xffec, 0xffed, 0xffee],
]);
/**
 * The rows of the US layout by the keycode of their first key, which is the same on every PC
 * keyboard.
 */
const US_ROWS: readonly (readonly [first: number, characters: string])[] = [
  [10, "1234567890-="],
  [24, "qwertyuiop[]"],
  [38, "asdfghjkl;'`"],
  [51, "\\zxcvbnm,./"],
];
const [FIRST_ASCII, LAST_ASCII] = [0x21, 0x7e];

/** Whether holding this key turns others into a shortcut. */
export function isCommandKey(keysym: number): boolean {
  return COMMAND_KEYS.has(keysym);
}

export function isAscii(keysym: number): boolean {
  return keysym >= FIRST_ASCII && keysym <= LAST_ASCII;
}

/** The stroke of a character on the US layout. */
export function usStroke(keysym: number): Stroke | undefined {
  const character = String.fromCharCode(keysym);
  for (const [first, characters] of US_ROWS) {
    const index = characters.indexOf(character);
    if (index >= 0) return { keycode: first + index, mods: 0 };
  }
  return undefined;
}
