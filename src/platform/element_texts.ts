/** How long the texts may be that programs say of their elements: bounded where they enter. */

import { cutRawText, RAW_CUT_MARK } from "../core/texts.ts";

/** Characters of a name or a title. */
export const MAX_NAME = 4 * 1024;
/** Characters of a description or a value. */
export const MAX_TEXT = 64 * 1024;
/** Characters of a name or a value that a line of a snapshot shows. */
export const MAX_LINE_TEXT = 200;
/** Characters of all texts of one reading. */
export const MAX_READ_TEXT = 16 * 1024 * 1024;

/** As `cutRawText`, with the mark within `max`; as a copy, because a part of a string keeps all of it in memory. */
export function boundText(text: string, max: number): string {
  if (text.length <= max) return text;
  return new TextDecoder().decode(
    new TextEncoder().encode(cutRawText(text, max - RAW_CUT_MARK.length)),
  );
}
