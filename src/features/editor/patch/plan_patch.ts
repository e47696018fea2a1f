/**
 * Plans a patch as one splice: from the first line that changes to the last. Line breaks, a byte
 * order mark, bytes that are no UTF-8 and a missing last line break stay as they are.
 */

import { joinBytes } from "../../../core/bytes.ts";
import { FieldError } from "../../../core/errors.ts";
import { computeBorders } from "../../../core/search.ts";
import type { Patching } from "../edit_task.ts";
import {
  CARRIAGE_RETURN,
  findLineBreak,
  LINE_FEED,
  markLength,
  nextLine,
  type Splice,
} from "../find_matches.ts";
import { parseUpdate, type Section } from "./parse_diff.ts";

interface PatchOptions {
  readonly path: string;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/**
 * @returns `undefined` when nothing changes.
 * @throws FieldError on `diff` when it cannot be read or does not fit; all sections are located
 * before anything is changed.
 */
export function planPatch(
  bytes: Uint8Array,
  { diff }: Patching,
  options: PatchOptions,
): Splice | undefined {
  const mark = markLength(bytes);
  const changes: Change[] = [];
  let from: Cursor = { line: 0, offset: mark };
  for (const section of parseUpdate(diff)) {
    const run = locateSection(bytes, section, { ...options, from });
    const { changes: made, cursor } = listChanges(bytes, section, run);
    changes.push(...made);
    from = cursor;
  }
  return join(bytes, changes, mark);
}

/** Lines that give way to others; their line breaks belong to them. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly inserted: Uint8Array;
}

function listChanges(bytes: Uint8Array, { lines }: Section, run: LineRun) {
  const changes: Change[] = [];
  let offset = run.offset;
  let line = run.line;
  let start = offset;
  let added: string[] = [];
  const close = () => {
    const replaced = { start, end: offset };
    if (added.length > 0 || offset > start) {
      changes.push({ ...replaced, inserted: encodeLines(bytes, added, replaced) });
    }
    added = [];
  };
  for (const { kind, text } of lines) {
    if (kind === "add") {
      added.push(text);
      continue;
    }
    if (kind === "keep") close();
    offset = nextLine(bytes, offset);
    line += 1;
    if (kind === "keep") start = offset;
  }
  close();
  return { changes, cursor: { line, offset } };
}

/** Each line gets the line break of the line that it replaces, or of the one before. */
function encodeLines(
  bytes: Uint8Array,
  texts: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
): Uint8Array {
  let lineBreak = breakBefore(bytes, start);
  let replaced = start;
  let text = "";
  for (const line of texts) {
    if (replaced < end) {
      const next = nextLine(bytes, replaced);
      lineBreak = breakBefore(bytes, next);
      replaced = next;
    }
    text += line + lineBreak;
  }
  return new TextEncoder().encode(text);
}

/** The line break that ends at an offset; that of the file where there is none. */
function breakBefore(bytes: Uint8Array, offset: number): string {
  if (offset === 0 || bytes[offset - 1] !== LINE_FEED) return findLineBreak(bytes);
  return contentEnd(bytes, Math.max(0, offset - 2), offset) === offset - 2 ? "\r\n" : "\n";
}

function join(bytes: Uint8Array, changes: readonly Change[], mark: number): Splice | undefined {
  const last = changes.at(-1);
  if (last === undefined) return undefined;
  const { end } = last;
  let { start } = changes[0]!;
  const pieces: Uint8Array[] = [];
  let copied = start;
  const open = isOpen(bytes, mark);
  let hasEnd = open; // whether the last line stands without a line break until now
  for (const { start: at, end: next, inserted } of changes) {
    pieces.push(bytes.subarray(copied, at));
    if (hasEnd && at === bytes.length) pieces.push(encode(findLineBreak(bytes)));
    hasEnd &&= next < bytes.length;
    pieces.push(inserted);
    copied = next;
  }
  let inserted = joinBytes(pieces);
  if (open && end === bytes.length) {
    if (inserted.length === 0) start = startOfBreak(bytes, start, mark);
    inserted = inserted.subarray(0, contentEnd(inserted, 0, inserted.length));
  }
  const removed = bytes.slice(start, end);
  if (isEqual(removed, inserted)) return undefined;
  return { at: Uint32Array.of(start), removed, inserted: inserted.slice() };
}

/** Whether the last line has no line break. */
function isOpen(bytes: Uint8Array, mark: number): boolean {
  return bytes.length > mark && bytes[bytes.length - 1] !== LINE_FEED;
}

/** Where the line break before an offset begins. */
function startOfBreak(bytes: Uint8Array, offset: number, mark: number): number {
  return offset === mark ? offset : offset - breakBefore(bytes, offset).length;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

// Decides where in a file a section of a diff belongs; refuses what could mean several positions.

interface LocateOptions extends PatchOptions {
  /** Where the part of the file begins that comes after the sections before. */
  readonly from: Cursor;
}

/**
 * @throws FieldError on `diff` when the lines of the section are not there, or are there several
 * times and no anchor says which are meant.
 */
function locateSection(bytes: Uint8Array, section: Section, options: LocateOptions): LineRun {
  const { from, isSure } = followAnchors(bytes, section, options);
  const wanted = section.lines.filter(({ kind }) => kind !== "add").map(({ text }) => encode(text));
  if (wanted.length === 0) return locateAddition(bytes, section, { ...options, from, isSure });
  const prefer = (run: LineRun) =>
    section.atEnd ? run.end === bytes.length : run.line + 1 === section.hint;
  for (const match of MATCHES) {
    const found = findLines(bytes, wanted, { ...options, match, from, prefer });
    const run = choose(found, isSure);
    if (run) return run;
    if (found.count > 1) throw sectionError(section, severalTimes(found.count, options.path));
  }
  const where = from.line === 0 ? "" : ` after line ${from.line}`;
  const lines = wanted.length === 1 ? "its line is" : `its ${wanted.length} lines are`;
  throw sectionError(section, `${lines} not in ${JSON.stringify(options.path)}${where}`);
}

function choose({ first, preferred, count }: LineMatches, isSure: boolean): LineRun | undefined {
  return preferred ?? (count === 1 || isSure ? first : undefined);
}

function severalTimes(count: number, path: string): string {
  const where = `its lines are ${count} times in ${JSON.stringify(path)}`;
  return `${where}: add more lines around the change, ` +
    'or an anchor ("@@ " and a line before it that occurs only once)';
}

interface Anchored {
  readonly from: Cursor;
  /** Whether the last anchor is there only once, so that the first occurrence after it is meant. */
  readonly isSure: boolean;
}

/** A single anchor that is not there is only a hint, as in the format's other readers. */
function followAnchors(bytes: Uint8Array, section: Section, options: LocateOptions): Anchored {
  let anchored: Anchored = { from: options.from, isSure: false };
  for (const anchor of section.anchors) {
    const { first, count } = findAnchor(bytes, anchor, { ...options, from: anchored.from });
    if (first) {
      anchored = { from: { line: first.line + 1, offset: first.end }, isSure: count === 1 };
    } else if (section.anchors.length > 1) {
      throw sectionError(section, `an anchor of it is not in ${JSON.stringify(options.path)}`);
    }
  }
  return anchored;
}

function findAnchor(bytes: Uint8Array, anchor: string, options: LocateOptions): LineMatches {
  const search = { ...options, prefer: () => false };
  const exact = findLines(bytes, [encode(anchor)], { ...search, match: "exact" });
  return exact.first ? exact : findLines(bytes, [encode(anchor)], { ...search, match: "both" });
}

/** A section that only adds lines says by its anchor or its end where it belongs. */
function locateAddition(
  bytes: Uint8Array,
  section: Section,
  { from, isSure, path }: LocateOptions & Anchored,
): LineRun {
  if (section.atEnd || bytes.length === from.offset && from.line === 0) {
    return { line: Infinity, offset: bytes.length, end: bytes.length };
  }
  if (isSure) return { ...from, end: from.offset };
  throw sectionError(
    section,
    `it adds lines to ${JSON.stringify(path)} without a position: add the lines around them`,
  );
}

function sectionError({ number }: Section, message: string): FieldError {
  return new FieldError(
    "diff",
    `The section at line ${number} of the diff does not apply: ${message}`,
  );
}

// Finds a run of lines in the bytes of a file, in time linear in both and with memory for the run
// alone (Knuth, Morris, Pratt on the lines).

/** How exactly lines must agree, strictest first; the others ignore blanks at their ends. */
const MATCHES = ["exact", "right", "both"] as const;
type Match = (typeof MATCHES)[number];

/** A line of the file: its number from 0, and the offset where it begins. */
interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** Where a run was found; `end` is the offset behind it. */
interface LineRun extends Cursor {
  readonly end: number;
}

interface LineMatches {
  readonly first: LineRun | undefined;
  /** The first run for which `prefer` holds. */
  readonly preferred: LineRun | undefined;
  readonly count: number;
}

interface FindOptions {
  readonly match: Match;
  readonly from: Cursor;
  prefer(run: LineRun): boolean;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/** Lines to compare before checking whether a caller still waits. */
const STRETCH = 100_000;

/** Every occurrence of `wanted` (one or more lines without line breaks), overlapping ones too. */
function findLines(
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
    let isNext = isLine(bytes, start, stop, pattern[matched]!);
    while (!isNext && matched > 0) {
      matched = borders[matched - 1]!;
      isNext = isLine(bytes, start, stop, pattern[matched]!);
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
function contentEnd(bytes: Uint8Array, start: number, next: number): number {
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

function isLine(bytes: Uint8Array, start: number, end: number, line: Uint8Array): boolean {
  if (end - start !== line.length) return false;
  for (let at = 0; at < line.length; at++) if (bytes[start + at] !== line[at]) return false;
  return true;
}
