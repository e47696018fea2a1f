/** Finds the lines in which a text occurs, whatever the text is, in linear time. */

import { findMatches } from "./find_matches.ts";

const NEWLINE = 10;

export interface FoundLines {
  /** How often the text occurs; `undefined` when more often than `limit`. */
  readonly count: number | undefined;
  /** The numbers of the lines in which the first occurrences begin, from 1. */
  readonly lines: readonly number[];
}

export interface FindLinesOptions {
  /** The most occurrences to find. */
  readonly limit: number;
  /** The most lines to name. */
  readonly named: number;
}

/** Occurrences are counted from the start, without overlap. */
export function findLinesOf(
  bytes: Uint8Array,
  wanted: string,
  { limit, named }: FindLinesOptions,
): FoundLines {
  if (wanted.length > bytes.length) return { count: 0, lines: [] };
  const at = findMatches(bytes, new TextEncoder().encode(wanted), { limit, checkStop() {} });
  if (at === undefined) return { count: undefined, lines: [] };
  return { count: at.length, lines: nameLines(bytes, at.subarray(0, named)) };
}

function nameLines(bytes: Uint8Array, places: Uint32Array): number[] {
  const lines: number[] = [];
  let [line, end] = [1, bytes.indexOf(NEWLINE)];
  for (const place of places) {
    for (; end >= 0 && end < place; end = bytes.indexOf(NEWLINE, end + 1)) line++;
    lines.push(line);
  }
  return lines;
}
