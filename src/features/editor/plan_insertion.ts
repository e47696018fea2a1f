/** Finds where to insert a text as lines of a file, and which line breaks it needs. */

import { ValueFault } from "../../core/errors.ts";
import type { Inserting } from "./edit_task.ts";
import { findLineBreak, LINE_FEED, markLength, splitLines } from "./lines.ts";
import type { Splice } from "./splice.ts";

/**
 * @returns `undefined` for an empty text.
 * @throws ValueFault when the file has too few lines.
 */
export function planInsertion(
  bytes: Uint8Array,
  { text, line }: Inserting,
  path: string,
): Splice | undefined {
  const mark = markLength(bytes);
  const lines = splitLines(bytes, mark);
  if (line !== undefined && line > lines.count + 1) {
    const message =
      `insert_line ${line} is beyond the end: ${JSON.stringify(path)} has ${lines.count} ` +
      `line${lines.count === 1 ? "" : "s"}, so that ${lines.count + 1} appends`;
    throw new ValueFault("insert_line", message);
  }
  const at = line === undefined ? bytes.length : lines.findStart(Math.max(1, line));
  const inserted = new TextEncoder().encode(inserting(bytes, { at, text, mark }));
  if (inserted.length === 0) return undefined;
  return { at: Uint32Array.of(at), removed: new Uint8Array(0), inserted };
}

/** The text with the line break that makes it a line of its own. */
function inserting(
  bytes: Uint8Array,
  { at, text, mark }: { readonly at: number; readonly text: string; readonly mark: number },
): string {
  const lineBreak = findLineBreak(bytes);
  const afterOpenLine = at === bytes.length && at > mark && bytes[at - 1] !== LINE_FEED;
  if (afterOpenLine) return lineBreak + text;
  return text.endsWith("\n") ? text : text + lineBreak;
}
