/** Shows a text file, or some of its lines, with line numbers. */

import { viewStart } from "../../editor/view_file.ts";
import type { EditingContext, TextFile } from "./editing.ts";

/** The most characters of a view, and where the tool declares no number of its own. */
const MAX_CHARACTERS = 700_000;
const USUAL_CHARACTERS = 200_000;
const MAX_BYTES_PER_CHARACTER = 3;
const NUMBER_WIDTH = 6;

/** The lines from the first to the last (-1: the end). */
export type LineRange = readonly number[];

export interface ViewOptions {
  /** By default the whole file. */
  readonly range?: LineRange | undefined;
  /** The most characters, with the numbers. */
  readonly max?: number;
}

/** The lines with their numbers; of a long text the beginning, and how to go on. */
export async function viewText(
  { context, shown, path }: TextFile,
  { range, max = USUAL_CHARACTERS }: ViewOptions,
): Promise<string> {
  const { lines, goesOn } = await readNumbered(context, { path, range, max });
  const text = lines.length === 0 ? numberLine("", 1) : lines.join("\n"); // of an empty file
  const numbered = `Here's the content of ${shown} with line numbers:\n${text}`;
  if (!goesOn) return numbered;
  const [first = 1, last = -1] = range ?? [];
  const next = first + lines.length;
  const rest = last === -1 || next <= last ? `the file goes on: view_range [${next}, ${last}]` : "";
  return `${numbered}\n[... ${rest || "the line goes on"}]`;
}

export interface Numbered {
  readonly lines: readonly string[];
  /** Whether there is more than the lines show. */
  readonly goesOn: boolean;
}

/** Reads no more than is shown. */
export async function readNumbered(
  context: EditingContext,
  { path, range, max = USUAL_CHARACTERS }: ViewOptions & { readonly path: string },
): Promise<Numbered> {
  const view = { path, ...(range && { view_range: range }) };
  context.calls.prepare("viewFile", view); // checks the fields, and whether the editor is on
  const most = Math.min(max, MAX_CHARACTERS);
  const read = await viewStart(context, view, most * MAX_BYTES_PER_CHARACTER);
  return numberLines(read, { first: range?.[0] ?? 1, max: most });
}

/** The first line is cut if it is too long; all others are whole. */
function numberLines(
  { text, isWhole }: { readonly text: string; readonly isWhole: boolean },
  { first, max }: { readonly first: number; readonly max: number },
): Numbered {
  const lines: string[] = [];
  let length = 0;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const isUnfinished = end < 0 && !isWhole;
    const line = numberLine(text.slice(start, end < 0 ? text.length : end), first + lines.length);
    length += line.length + 1;
    const isTooLong = length > max + 1;
    if ((isTooLong || isUnfinished) && lines.length > 0) return { lines, goesOn: true };
    lines.push(isTooLong ? cut(line, max) : line);
    if (isTooLong || isUnfinished) return { lines, goesOn: true };
    start = end < 0 ? text.length : end + 1;
  }
  return { lines, goesOn: !isWhole };
}

/** Without half of a character at the end. */
function cut(line: string, max: number): string {
  return line.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

function numberLine(line: string, number: number): string {
  return `${String(number).padStart(NUMBER_WIDTH)}\t${line.replace(/\r$/, "")}`;
}
