/**
 * Finds a run of lines in the bytes of a file, in time linear in both and with memory for the run
 * alone (Knuth, Morris, Pratt on the lines).
 */

import { computeBorders } from "../../../core/search.ts";
import { CARRIAGE_RETURN, LINE_FEED, nextLine } from "../find_matches.ts";

/** How exactly lines must agree, strictest first; the others ignore blanks at their ends. */
export const MATCHES = ["exact", "right", "both"] as const;
export type Match = (typeof MATCHES)[number];

/** A line of the file: its number from 0, and the offset where it begins. */
export interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** Where a run was found; `end` is the offset behind it. */
export interface LineRun extends Cursor {
  readonly end: number;
}

export interface LineMatches {
  readonly first: LineRun | undefined;
  /** The first run for which `prefer` holds. */
  readonly preferred: LineRun | undefined;
  readonly count: number;
}

export interface FindOptions {
  readonly match: Match;
  readonly from: Cursor;
  prefer(run: LineRun): boolean;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/** Lines to compare before checking whether a caller still waits. */
const STRETCH = 100_000;

/** Every occurrence of `wanted` (one or more lines without line breaks), overlapping ones too. */
export function findLines(
  bytes: Uint8Array,
  wanted: readonly Uint8Array[],
  { match, from, prefer, checkStop }: FindOptions,
): LineMatches {
  const pattern = wanted.map((line) => {
    return line.subarray(...trimmed(line, { start: 0, end: line.length, match }));
  });
  const borders = computeBorders(numberLines(pattern));
  const starts = new Uint32Array(pattern.length); // of the last lines, as a ring
  let [first, preferred, count]: [LineRun | undefined, LineRun | undefined, number] = [
    undefined,
    undefined,
    0,
  ];
  let matched = 0;
  for (let line = from.line, offset = from.offset; offset < bytes.length; line++) {
    if (line % STRETCH === 0) checkStop();
    const end = nextLine(bytes, offset);
    starts[line % starts.length] = offset;
    const content = { start: offset, end: contentEnd(bytes, offset, end), match };
    const [start, stop] = trimmed(bytes, content);
    let isNext = isEqual(bytes, start, stop, pattern[matched]!);
    while (!isNext && matched > 0) {
      matched = borders[matched - 1]!;
      isNext = isEqual(bytes, start, stop, pattern[matched]!);
    }
    if (isNext) matched += 1;
    if (matched === pattern.length) {
      const begin = line - pattern.length + 1;
      const run = { line: begin, offset: starts[begin % starts.length]!, end };
      first ??= run;
      if (preferred === undefined && prefer(run)) preferred = run;
      count += 1;
      matched = borders[matched - 1]!;
    }
    offset = end;
  }
  return { first, preferred, count };
}

/** The end of a line's content, before its line break. */
export function contentEnd(bytes: Uint8Array, start: number, next: number): number {
  if (next === start || bytes[next - 1] !== LINE_FEED) return next;
  return next - 1 > start && bytes[next - 2] === CARRIAGE_RETURN ? next - 2 : next - 1;
}

/** The same number for the same line. */
function numberLines(lines: readonly Uint8Array[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(lines, (line) => numbers.getOrInsert(line.toBase64(), numbers.size));
}

function trimmed(
  bytes: Uint8Array,
  { start, end, match }: { start: number; end: number; match: Match },
): [number, number] {
  if (match !== "exact") { while (end > start && isBlank(bytes[end - 1]!)) end -= 1; }
  if (match === "both") { while (start < end && isBlank(bytes[start]!)) start += 1; }
  return [start, end];
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN;
}

function isEqual(bytes: Uint8Array, start: number, end: number, line: Uint8Array): boolean {
  if (end - start !== line.length) return false;
  for (let at = 0; at < line.length; at++) if (bytes[start + at] !== line[at]) return false;
  return true;
}
