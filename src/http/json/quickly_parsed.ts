/**
 * Tells long texts, which are parsed in milliseconds, from bodies of many small values, which take far
 * longer: only these are worth a thread of their own.
 */

import type { Chunks } from "./large_bodies.ts";

const MAX_BYTES = 1280 * 1024;
/** Values, beginnings of lists and objects, and what looks like them inside of texts. */
const MAX_MARKS = 64 * 1024;
const MARKS = [..."[{,:"].map((mark) => mark.charCodeAt(0));

export function isQuicklyParsed(chunks: Chunks, size: number): boolean {
  if (size > MAX_BYTES) return false;
  let marks = 0;
  for (const chunk of chunks) {
    for (const mark of MARKS) {
      for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + 1)) {
        if (++marks > MAX_MARKS) return false;
      }
    }
  }
  return true;
}
