/** Decides where in a file a section of a diff belongs; refuses what could mean several places. */

import { ValueFault } from "../../../core/errors.ts";
import { type Cursor, findLines, type Found, MATCHES, type Place } from "./find_lines.ts";
import type { Section } from "./parse_diff.ts";

export interface Placing {
  readonly path: string;
  /** Where the part of the file begins that comes after the sections before. */
  readonly from: Cursor;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/**
 * @throws ValueFault on `diff` when the lines of the section are not there, or are there several
 * times and no anchor tells which are meant.
 */
export function placeSection(bytes: Uint8Array, section: Section, placing: Placing): Place {
  const { from, isSure } = followAnchors(bytes, section, placing);
  const wanted = section.lines.filter(({ kind }) => kind !== "add").map(({ text }) => encode(text));
  if (wanted.length === 0) return placeAddition(bytes, section, { ...placing, from, isSure });
  const prefer = (place: Place) =>
    section.atEnd ? place.end === bytes.length : place.line + 1 === section.hint;
  for (const match of MATCHES) {
    const found = findLines(bytes, wanted, { ...placing, match, from, prefer });
    const place = choose(found, isSure);
    if (place) return place;
    if (found.count > 1) throw fault(section, severalTimes(found.count, placing.path));
  }
  const where = from.line === 0 ? "" : ` after line ${from.line}`;
  const lines = wanted.length === 1 ? "its line is" : `its ${wanted.length} lines are`;
  throw fault(section, `${lines} not in ${JSON.stringify(placing.path)}${where}`);
}

function choose({ first, preferred, count }: Found, isSure: boolean): Place | undefined {
  return preferred ?? (count === 1 || isSure ? first : undefined);
}

function severalTimes(count: number, path: string): string {
  return `its lines are ${count} times in ${
    JSON.stringify(path)
  }: add more lines around the change, ` +
    'or an anchor ("@@ " and a line before it that is there once)';
}

interface Anchored {
  readonly from: Cursor;
  /** Whether the last anchor is there only once, so that the first place after it is meant. */
  readonly isSure: boolean;
}

/** A single anchor that is not there is only a hint, as in the format's other readers. */
function followAnchors(bytes: Uint8Array, section: Section, placing: Placing): Anchored {
  let anchored: Anchored = { from: placing.from, isSure: false };
  for (const anchor of section.anchors) {
    const { first, count } = findAnchor(bytes, anchor, { ...placing, from: anchored.from });
    if (first) {
      anchored = { from: { line: first.line + 1, offset: first.end }, isSure: count === 1 };
    } else if (section.anchors.length > 1) {
      throw fault(section, `an anchor of it is not in ${JSON.stringify(placing.path)}`);
    }
  }
  return anchored;
}

function findAnchor(bytes: Uint8Array, anchor: string, placing: Placing): Found {
  const options = { ...placing, prefer: () => false };
  const exact = findLines(bytes, [encode(anchor)], { ...options, match: "exact" });
  return exact.first ? exact : findLines(bytes, [encode(anchor)], { ...options, match: "both" });
}

/** A section that only adds lines says by its anchor or its end where it belongs. */
function placeAddition(
  bytes: Uint8Array,
  section: Section,
  { from, isSure, path }: Placing & Anchored,
): Place {
  if (section.atEnd || bytes.length === from.offset && from.line === 0) {
    return { line: Infinity, offset: bytes.length, end: bytes.length };
  }
  if (isSure) return { ...from, end: from.offset };
  throw fault(
    section,
    `it adds lines to ${JSON.stringify(path)} and does not say where: add the lines around them`,
  );
}

function fault({ number }: Section, message: string): ValueFault {
  return new ValueFault(
    "diff",
    `The section at line ${number} of the diff does not fit: ${message}`,
  );
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
