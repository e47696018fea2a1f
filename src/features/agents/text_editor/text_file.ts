/**
 * Edits one text file as models are trained to do it: a replacement that must be unique, insertion
 * after a line. Shared by the text editors and the memory tool.
 */

import { hasCode, ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { findLinesOf } from "../../editor/find_matches.ts";
import { viewStart } from "../../editor/view_file.ts";
import type { ReadOutput } from "../../filesystem/read_file.ts";
import { type Caller, callOperation } from "../actions.ts";

/** The most bytes that are read to explain a change: as base64 any fit an answer. */
const MAX_EXPLAINED_BYTES = 700_000;
const AROUND = 4;
/** Occurrences that are counted, and those whose lines a message lists. */
const MAX_COUNTED = 10_000;
const MAX_LISTED = 20;

/** Creates a file; one that exists is never replaced. */
export async function createText(
  { context, shown, path }: TextFile,
  text: string,
  exists: string,
): Promise<string> {
  try {
    await callOperation(context, "createFile", { path, file_text: text });
  } catch (error) {
    if (!hasCode(error, "already_exists")) throw error;
    throw new ServiceError("already_exists", exists);
  }
  return `File created successfully at: ${shown}`;
}

/** Replaces a text that occurs exactly once; the message for the model begins with `done`. */
export async function replaceOnce(
  file: TextFile,
  { oldText, newText, done }: {
    readonly oldText: string;
    readonly newText: string;
    readonly done: string;
  },
): Promise<string> {
  const { context, shown, path } = file;
  const before = await readFull(file);
  const { count, lines } = before === undefined
    ? { count: 1, lines: [] }
    : findLinesOf(before, oldText, { limit: MAX_COUNTED, named: MAX_LISTED });
  if (count === 0) {
    throw new ServiceError(
      "invalid",
      `No replacement was performed, old_str did not appear verbatim in ${shown}. ` +
        "It must match exactly, with every space and line break",
    );
  }
  if (count !== 1) {
    const where = describeLines(lines, count);
    throw new ServiceError(
      "invalid",
      `No replacement was performed. Multiple occurrences of old_str${where}. ` +
        "Please ensure it is unique",
    );
  }
  const change = { old_str: oldText, new_str: newText, unique: true };
  await callOperation(context, "replaceString", { path, ...change });
  return done + await snippet(file, lines[0], newText);
}

/** Inserts lines after line `after`; 0 is the top. */
export async function insertAfter(
  file: TextFile,
  after: number,
  { text, done }: { readonly text: string; readonly done: string },
): Promise<string> {
  const before = await readFull(file);
  const count = before === undefined ? Infinity : countLines(new TextDecoder().decode(before));
  if (after > count) {
    throw new ServiceError(
      "invalid",
      `Invalid \`insert_line\` parameter: ${after}. ` +
        `It should be within the range of lines of the file: [0, ${count}]`,
    );
  }
  const insertion = { path: file.path, text, insert_line: after + 1 };
  await callOperation(file.context, "insertText", insertion);
  return done + await snippet(file, after + 1, text);
}

/** The whole file; `undefined` for a long one, whose changes are then explained less well. */
async function readFull({ context, path }: TextFile): Promise<Uint8Array | undefined> {
  const start = { path, length: MAX_EXPLAINED_BYTES, encoding: "base64" };
  const read = await callOperation(context, "readFile", start);
  const { content, size, next_offset } = read as ReadOutput;
  return next_offset < size ? undefined : Uint8Array.fromBase64(content);
}

/** The lines around a change, as they are now; nothing where they cannot be shown. */
async function snippet(
  { context, path }: TextFile,
  line: number | undefined,
  text: string,
): Promise<string> {
  if (line === undefined) return "";
  const first = Math.max(1, line - AROUND);
  const last = line + countLines(text) - 1 + AROUND;
  try {
    const range = [first, last];
    const viewing = context.calls.prepare("viewFile", { path, view_range: range });
    if (viewing.needsApproval(context.actor)) return ""; // nobody is asked for what is only shown
    const { lines } = await readNumbered(context, { path, range });
    if (lines.length === 0) return "";
    return ` Here is the snippet showing the change (with line numbers):\n${lines.join("\n")}`;
  } catch {
    return ""; // the change is done: a file that has gone since is no failure of it
  }
}

/** ` in lines: 3, 9 and 4 more` */
function describeLines(lines: readonly number[], count: number | undefined): string {
  if (count === undefined) return `: more than ${MAX_COUNTED}`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : "";
  return ` in lines: ${lines.join(", ")}${more}`;
}

function countLines(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) count++;
  return count;
}

// Shows a text file, or some of its lines, with line numbers.

/** The most characters of a view, and where the tool declares no number of its own. */
const MAX_CHARACTERS = 700_000;
const USUAL_CHARACTERS = 200_000;
const MAX_BYTES_PER_CHARACTER = 3;
const NUMBER_WIDTH = 6;

interface ViewOptions {
  /** The lines from the first to the last (-1: the end); by default the whole file. */
  readonly range?: readonly number[] | undefined;
  /** The most characters, with the numbers. */
  readonly max?: number | undefined;
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

interface Numbered {
  readonly lines: readonly string[];
  /** Whether there is more than the lines show. */
  readonly goesOn: boolean;
}

/** Reads no more than is shown. */
async function readNumbered(
  context: EditingContext,
  { path, range, max = USUAL_CHARACTERS }: ViewOptions & { readonly path: string },
): Promise<Numbered> {
  const view = { path, view_range: range };
  const { actor, calls, signal } = context;
  using _passage = await calls.prepare("viewFile", view).enter({ actor, signal });
  const most = Math.min(max, MAX_CHARACTERS);
  const read = await viewStart(context, view, most * MAX_BYTES_PER_CHARACTER);
  return numberLines(read, { first: range?.[0] ?? 1, max: most });
}

/** The first line is cut if it is too long; all others are whole. */
function numberLines(
  { text, isComplete }: { readonly text: string; readonly isComplete: boolean },
  { first, max }: { readonly first: number; readonly max: number },
): Numbered {
  const given = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const unfinished = isComplete || text.endsWith("\n") ? undefined : given.length - 1;
  const lines: string[] = [];
  let left = max + 1;
  for (const [index, each] of given.entries()) {
    const line = numberLine(each, first + index);
    left -= line.length + 1;
    if (left >= 0 && index !== unfinished) lines.push(line);
    else return { lines: index > 0 ? lines : [left < 0 ? cut(line, max) : line], goesOn: true };
  }
  return { lines, goesOn: !isComplete };
}

/** Without half of a character at the end. */
function cut(line: string, max: number): string {
  return line.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

function numberLine(line: string, number: number): string {
  return `${String(number).padStart(NUMBER_WIDTH)}\t${line.replace(/\r$/, "")}`;
}

// What viewing and editing of one file share.

type EditingContext = Caller & Pick<Context, "config">;

/** A file by the path that the model knows, and by its path on this computer. */
export interface TextFile {
  readonly context: EditingContext;
  readonly shown: string;
  readonly path: string;
}
