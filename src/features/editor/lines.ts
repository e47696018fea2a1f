/**
 * Treats the bytes of a file as lines: counts them, finds where each begins, and detects the line
 * break in use.
 */

export const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface Lines {
  /** Includes a last line without a line break; 0 for an empty file. */
  readonly count: number;
  /** Offset at which line `number` begins (from 1); for `count` + 1, the end of the bytes. */
  findStart(number: number): number;
}

/** Splits the bytes from `from` on, which is the offset after a byte order mark. */
export function splitLines(bytes: Uint8Array, from: number): Lines {
  let count = 0;
  for (let start = from; start < bytes.length; count++) start = nextLine(bytes, start);
  return {
    count,
    findStart(number) {
      let start = from;
      for (let line = 1; line < number && start < bytes.length; line++) {
        start = nextLine(bytes, start);
      }
      return start;
    },
  };
}

/** The line break that ends the first line; `\n` if there is none. */
export function findLineBreak(bytes: Uint8Array): "\n" | "\r\n" {
  const end = bytes.indexOf(LINE_FEED);
  return end > 0 && bytes[end - 1] === CARRIAGE_RETURN ? "\r\n" : "\n";
}

/** Length of a UTF-8 byte order mark at the start: 3 or 0. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function nextLine(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end < 0 ? bytes.length : end + 1;
}
