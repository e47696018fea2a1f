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
  /** The first place for which `prefer` holds. */
  readonly preferred: LineRun | undefined;
  readonly count: number;
}

export interface FindOptions {
  readonly match: Match;
  readonly from: Cursor;
  prefer(place: LineRun): boolean;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/** Lines to look at before checking whether a caller still waits. */
const STRETCH = 100_000;

/** Every place of `wanted` (one or more lines without their line breaks), overlapping ones too. */
export function findLines(
  bytes: Uint8Array,
  wanted: readonly Uint8Array[],
  { match, from, prefer, checkStop }: FindOptions,
): LineMatches {
  const names = new LineNames(match);
  const pattern = Int32Array.from(wanted, (line) => names.add(line));
  const borders = computeBorders(pattern);
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
    const name = names.find(bytes, offset, contentEnd(bytes, offset, end));
    while (matched > 0 && pattern[matched] !== name) matched = borders[matched - 1]!;
    if (pattern[matched] === name) matched += 1;
    if (matched === pattern.length) {
      const start = line - pattern.length + 1;
      const place = { line: start, offset: starts[start % starts.length]!, end };
      first ??= place;
      if (preferred === undefined && prefer(place)) preferred = place;
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

/** Gives the same number to lines that agree, and -1 to those that were never added. */
class LineNames {
  readonly #byHash = new Map<number, Uint8Array[]>();
  readonly #numbers = new Map<Uint8Array, number>();

  constructor(private readonly match: Match) {}

  add(line: Uint8Array): number {
    const known = this.find(line, 0, line.length);
    if (known >= 0) return known;
    const [start, end] = trimmed(line, { start: 0, end: line.length, match: this.match });
    const content = line.subarray(start, end);
    const number = this.#numbers.size;
    this.#numbers.set(content, number);
    const hash = hashLine(line, start, end);
    this.#byHash.set(hash, [...this.#byHash.get(hash) ?? [], content]);
    return number;
  }

  find(bytes: Uint8Array, from: number, to: number): number {
    const [start, end] = trimmed(bytes, { start: from, end: to, match: this.match });
    for (const line of this.#byHash.get(hashLine(bytes, start, end)) ?? []) {
      if (isEqual(bytes, start, end, line)) return this.#numbers.get(line)!;
    }
    return -1;
  }
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

/** FNV-1a. */
function hashLine(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}

function isEqual(bytes: Uint8Array, start: number, end: number, line: Uint8Array): boolean {
  if (end - start !== line.length) return false;
  for (let at = 0; at < line.length; at++) if (bytes[start + at] !== line[at]) return false;
  return true;
}
