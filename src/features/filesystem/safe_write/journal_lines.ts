/** Reads the journal of a crashed run. */

import type { JournalRecord } from "./journal.ts";

export interface Unfinished {
  readonly records: readonly JournalRecord[];
  /** Number of lines that cannot be parsed: a full or damaged disk may leave some. */
  readonly unreadable: number;
}

/** The records without an end. A partial last line belongs to work that had not begun. */
export function unfinished(text: string): Unfinished {
  const open = new Map<number, JournalRecord>();
  let unreadable = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    if (line === "") continue;
    const parsed = parse(line);
    if (typeof parsed?.begin === "number" && isRecord(parsed.record)) {
      open.set(parsed.begin, parsed.record);
    } else if (typeof parsed?.end === "number") open.delete(parsed.end);
    else unreadable++;
  }
  return { records: [...open.values()], unreadable };
}

type Parsed = { readonly [key: string]: unknown } | null | undefined;

function parse(line: string): Parsed {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const FIELDS: Readonly<Record<JournalRecord["kind"], readonly string[]>> = {
  temporary: ["path", "target"],
  in_place: ["path", "before", "after"],
  aside: ["path", "aside"],
  exchanged: ["path", "target", "made", "state", "hash"],
};

function isRecord(record: unknown): record is JournalRecord {
  const fields = FIELDS[(record as JournalRecord | null)?.kind as JournalRecord["kind"]];
  return fields?.every((field) => typeof (record as Record<string, unknown>)[field] === "string") ??
    false;
}
