/**
 * Finds every occurrence of a byte sequence, from left to right and without overlap, in time linear
 * in the sum of both lengths.
 */

import { Blocks } from "../../core/bytes.ts";
import { ByteSearch } from "../../core/search.ts";
import type { Content } from "../filesystem/safe_write/content.ts";

/** Bytes to search before checking whether a caller still waits. */
const STRETCH = 4 * 1024 * 1024;

interface FindOptions {
  /** The most occurrences to find. */
  readonly limit: number;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/** The offsets; `undefined` when there are more than `limit`. */
export function findMatches(
  bytes: Uint8Array,
  wanted: Uint8Array,
  { limit, checkStop }: FindOptions,
): Uint32Array | undefined {
  const found: number[] = [];
  const search = new ByteSearch(wanted);
  for (let start = 0; start < bytes.length; start += STRETCH) {
    checkStop();
    const end = Math.min(bytes.length, start + STRETCH);
    let at = search.findEnd(bytes, start, end);
    for (; at >= 0; at = search.findEnd(bytes, at, end)) {
      if (found.length === limit) return undefined;
      found.push(at - wanted.length);
      search.restart(); // matches must not overlap
    }
  }
  return Uint32Array.from(found);
}

// Finds the lines in which a text occurs, whatever the text is, in linear time.

interface LineOccurrences {
  /** How often the text occurs; `undefined` when more often than `limit`. */
  readonly count: number | undefined;
  /** The numbers of the lines in which the first occurrences begin, from 1. */
  readonly lines: readonly number[];
}

interface FindLinesOptions {
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
): LineOccurrences {
  if (wanted.length > bytes.length) return { count: 0, lines: [] };
  const at = findMatches(bytes, new TextEncoder().encode(wanted), { limit, checkStop() {} });
  if (at === undefined) return { count: undefined, lines: [] };
  return { count: at.length, lines: nameLines(bytes, at.subarray(0, named)) };
}

function nameLines(bytes: Uint8Array, offsets: Uint32Array): number[] {
  const lines: number[] = [];
  let [line, end] = [1, bytes.indexOf(LINE_FEED)];
  for (const offset of offsets) {
    for (; end >= 0 && end < offset; end = bytes.indexOf(LINE_FEED, end + 1)) line++;
    lines.push(line);
  }
  return lines;
}

// Treats the bytes of a file as lines: counts them, finds where each begins, and detects the line
// break in use.

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;

interface Lines {
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

/** Where the next line begins, or the end of the bytes. */
export function nextLine(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end < 0 ? bytes.length : end + 1;
}

// An edit as data: the same bytes are removed, and the same bytes inserted, at one or many offsets.

export interface Splice {
  /** Offsets in the bytes before the edit: ascending, without overlap. */
  readonly at: Uint32Array;
  /** The bytes at each of these offsets before the edit. */
  readonly removed: Uint8Array;
  /** The bytes there after the edit. */
  readonly inserted: Uint8Array;
}

/**
 * Small pieces are joined into blocks of this size, in bytes: a write call costs more than copying.
 */
const BLOCK = 1024 * 1024;

/** The bytes after the edit. */
export function applySplice(bytes: Uint8Array, splice: Splice): Content {
  return { size: sizeAfter(bytes.length, splice), pieces: () => gathered(segments(bytes, splice)) };
}

export function sizeAfter(size: number, { at, removed, inserted }: Splice): number {
  return size + at.length * (inserted.length - removed.length);
}

/**
 * The edit that reverses this one; its offsets can be transferred to another thread without a copy.
 */
export function reverseSplice({ at, removed, inserted }: Splice): Splice {
  const growth = inserted.length - removed.length;
  const offsets = new Uint32Array(new SharedArrayBuffer(at.byteLength));
  for (let index = 0; index < at.length; index++) offsets[index] = at[index]! + index * growth;
  return { at: offsets, removed: inserted, inserted: removed };
}

function* segments(bytes: Uint8Array, splice: Splice): Iterable<Uint8Array> {
  let copied = 0;
  for (const offset of splice.at) {
    yield bytes.subarray(copied, offset);
    yield splice.inserted;
    copied = offset + splice.removed.length;
  }
  yield bytes.subarray(copied);
}

function* gathered(parts: Iterable<Uint8Array>): Iterable<Uint8Array> {
  const blocks = new Blocks(BLOCK);
  for (const part of parts) yield* blocks.add(part);
  yield* blocks.rest();
}
