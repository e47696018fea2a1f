/** Reads back what a run that died had written into its journal. */

import type { JournalRecord } from "./journal.ts";

export interface Unfinished {
  readonly records: readonly JournalRecord[];
  /** How many lines make no sense: a disk that was full, or broken, may leave such. */
  readonly unreadable: number;
}

/** The records that have no end; a torn last line is one of which nothing had begun. */
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
