/**
 * Scans JSON before parsing: its depth and number of values determine how long parsing would take.
 */

/** Deepest nesting of lists and objects; no operation needs more than five levels. */
export const MAX_DEPTH = 200;
/**
 * Most values in all lists and objects together: about 20 ms of parsing and checking; no operation
 * needs half as many.
 */
export const MAX_VALUES = 10_000;

export interface Excess {
  readonly offset: number;
  readonly what: "levels" | "values";
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Finds where a text exceeds the limits on depth or values; the text need not be valid JSON. */
export function findExcess(bytes: Uint8Array, maxValues = MAX_VALUES): Excess | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.byteLength; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at + 1);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return { offset: at, what: "levels" };
        if (++values > maxValues) return { offset: at, what: "values" };
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        if (++values > maxValues) return { offset: at, what: "values" };
    }
  }
  return undefined;
}

/** Offset of the quote that ends a text, or the end of the input. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.byteLength && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
