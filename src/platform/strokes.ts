/** Splits a text into keystrokes. */

import { FieldError } from "../core/errors.ts";
import { isControl } from "./keys.ts";

/** Most characters that one error lists. */
const MAX_NAMED = 5;

/**
 * One stroke per code point; a line break of any kind is one `\n`.
 * @throws FieldError on `text` for control characters and lone surrogates.
 */
export function splitIntoStrokes(text: string): string[] {
  const strokes: string[] = [];
  const refused: string[] = [];
  let previous = "";
  for (const [position, character] of [...text].entries()) {
    const secondHalf = character === "\n" && previous === "\r";
    previous = character;
    if (secondHalf) continue;
    const codePoint = character.codePointAt(0)!;
    if (isTyped(codePoint)) strokes.push(character === "\r" ? "\n" : character);
    else refused.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, "0")} at ${position}`);
  }
  if (refused.length === 0) return strokes;
  const more = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} more` : "";
  throw new FieldError(
    "text",
    `Characters that cannot be typed: ${refused.slice(0, MAX_NAMED).join(", ")}${more}`,
  );
}

function isTyped(codePoint: number): boolean {
  if (codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d) return true;
  return !isControl(codePoint) && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}
