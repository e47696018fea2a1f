/** What keysyms stand for: those of a text, and the error for a character that cannot be typed. */

import { FieldError } from "../../../core/errors.ts";
import { isControl, keysymOfCodePoint } from "../../keys.ts";

export const RETURN = 0xff0d;
export const TAB = 0xff09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The most characters that an error lists. */
const MAX_NAMED = 5;

/**
 * The keysym of each keystroke of a text.
 * @throws FieldError on `text` for control characters.
 */
export function toKeysyms(text: string): number[] {
  const keysyms: number[] = [];
  const characters: UntypableCharacter[] = [];
  let position = 0;
  let previous = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    if (codePoint === LINE_FEED && previous === CARRIAGE_RETURN) { /* \r\n is one Enter */ }
    else if (codePoint === LINE_FEED || codePoint === CARRIAGE_RETURN) keysyms.push(RETURN);
    else if (codePoint === 0x09) keysyms.push(TAB);
    else if (isControl(codePoint)) characters.push({ codePoint, position });
    else keysyms.push(keysymOfCodePoint(codePoint));
    position++;
    previous = codePoint;
  }
  if (characters.length > 0) throw untypable(characters, "they are control characters");
  return keysyms;
}

/** A character that cannot be typed; its position counts code points. */
interface UntypableCharacter {
  readonly codePoint: number;
  readonly position: number;
}

/** @param why half a sentence */
export function untypable(characters: readonly UntypableCharacter[], why: string): FieldError {
  const named = characters.slice(0, MAX_NAMED).map(({ codePoint, position }) =>
    `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")} at ${position}`
  );
  const more = characters.length > MAX_NAMED ? ` and ${characters.length - MAX_NAMED} more` : "";
  return new FieldError(
    "text",
    `Nothing was typed: ${named.join(", ")}${more} cannot be typed, ${why}`,
  );
}

/** Control, Meta, Alt, Super and Hyper, left and right. */
const COMMAND_KEYS: ReadonlySet<number> = new Set([
  ...[0xffe3, 0xffe4],
  ...[0xffe7, 0xffe8, 0xffe9, 0xffea, 0xffeb, 0xffec, 0xffed, 0xffee],
]);
const [FIRST_ASCII, LAST_ASCII] = [0x21, 0x7e];

/** Whether holding this key turns others into a shortcut. */
export function isCommandKey(keysym: number): boolean {
  return COMMAND_KEYS.has(keysym);
}

/** Whether one of the keys that are down does. */
export function hasCommandKey(down: ReadonlyMap<number, unknown>): boolean {
  return [...down.keys()].some(isCommandKey);
}

export function isAscii(keysym: number): boolean {
  return keysym >= FIRST_ASCII && keysym <= LAST_ASCII;
}
