/**
 * Views and edits one text file as Anthropic's tools do: lines with numbers, a replacement that
 * must be unique, insertion after a line. Shared by the text editor and the memory tool.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { findLinesOf } from "../../editor/find_lines_of.ts";

/** A file by the path that the model knows, and by its path on this computer. */
export interface TextFile {
  readonly context: Context;
  readonly shown: string;
  readonly path: string;
}

/** The most characters of a view, where the tool declares no `max_characters`. */
const MAX_VIEW = 200_000;
const MAX_BYTES_PER_CHARACTER = 3;
/** The most bytes that are read to explain a change, or for a view: as base64 any fit an answer. */
const MAX_LOOK = 700_000;
const NUMBER_WIDTH = 6;
/** Lines shown before and after a change. */
const AROUND = 4;
/** Occurrences that are counted, and those whose lines a message lists. */
const MAX_COUNTED = 10_000;
const MAX_LISTED = 20;

/** Calls one of our operations; gives its JSON. */
export async function call(
  { calls, signal }: Context,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const result = await calls.prepare(name, input).run({ signal });
  return result.kind === "json" ? result.value : undefined;
}

/** The file, or the lines from the first to the last (-1: the end), with their numbers. */
export async function viewText(
  { context, shown, path }: TextFile,
  { range, max = MAX_VIEW }: { readonly range?: readonly number[]; readonly max?: number },
): Promise<string> {
  const { text, isWhole } = range === undefined
    ? await readText({ context, shown, path }, max * MAX_BYTES_PER_CHARACTER)
    : { text: await readLines({ context, shown, path }, range), isWhole: true };
  const lines = numberLines(text.slice(0, max), range?.[0] ?? 1);
  const view = `Here's the content of ${shown} with line numbers:\n${lines}`;
  if (isWhole && text.length <= max && view.length <= max) return view;
  const start = view.slice(0, max);
  return `${start}\n[Only the first ${start.length} characters are shown: use view_range.]`;
}

/** Creates a file; one that exists is never replaced. */
export async function createText(
  { context, shown, path }: TextFile,
  text: string,
  exists: string,
): Promise<string> {
  try {
    await call(context, "createFile", { path, file_text: text });
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
  const before = await readWhole(file);
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
    throw new ServiceError(
      "invalid",
      `No replacement was performed. Multiple occurrences of old_str${
        describeLines(lines, count)
      }. ` +
        "Please ensure it is unique",
    );
  }
  const change = { old_str: oldText, new_str: newText, unique: true };
  await call(context, "replaceString", { path, ...change });
  return done + await snippet(file, lines[0], newText);
}

/** Inserts lines after line `after`; 0 is the top. */
export async function insertAfter(
  file: TextFile,
  after: number,
  { text, done }: { readonly text: string; readonly done: string },
): Promise<string> {
  const before = await readWhole(file);
  const count = before === undefined ? Infinity : countLines(decode(before));
  if (after > count) {
    throw new ServiceError(
      "invalid",
      `Invalid \`insert_line\` parameter: ${after}. ` +
        `It should be within the range of lines of the file: [0, ${count}]`,
    );
  }
  await call(file.context, "insertText", { path: file.path, text, insert_line: after + 1 });
  return done + await snippet(file, after + 1, text);
}

export function hasCode(error: unknown, code: ServiceError["code"]): boolean {
  return error instanceof ServiceError && error.code === code;
}

/** The whole file; `undefined` for a long one, whose changes are then explained less well. */
async function readWhole(file: TextFile): Promise<Uint8Array | undefined> {
  const { bytes, isWhole } = await readStart(file, MAX_LOOK);
  return isWhole ? bytes : undefined;
}

/** At most this many bytes, so that a large file is not read to its end. */
async function readStart(
  { context, path }: TextFile,
  length: number,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const part = { length: Math.min(length, MAX_LOOK), encoding: "base64" };
  const read = await call(context, "readFile", { path, ...part });
  const { content, size, next_offset } = read as FileStart;
  return { bytes: Uint8Array.fromBase64(content), isWhole: next_offset >= size };
}

async function readText(file: TextFile, length: number) {
  const { bytes, isWhole } = await readStart(file, length);
  return { text: decode(bytes, isWhole), isWhole };
}

/** @param isWhole whether the text ends with the bytes; else half of a character is left out */
function decode(bytes: Uint8Array, isWhole = true): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: !isWhole });
}

interface FileStart {
  readonly content: string;
  readonly size: number;
  readonly next_offset: number;
}

async function readLines(
  { context, path }: TextFile,
  view_range: readonly number[],
): Promise<string> {
  return await call(context, "viewFile", { path, view_range }) as string;
}

/** The lines around a change, as they are now; nothing where they cannot be shown. */
async function snippet(file: TextFile, line: number | undefined, text: string): Promise<string> {
  if (line === undefined) return "";
  const first = Math.max(1, line - AROUND);
  const last = line + countLines(text) - 1 + AROUND;
  try {
    const lines = await readLines(file, [first, last]);
    if (lines === "") return "";
    const numbered = numberLines(lines.slice(0, MAX_VIEW), first);
    return ` Here is the snippet showing the change (with line numbers):\n${numbered}`;
  } catch {
    return ""; // the change is done: a file that has gone since is no failure of it
  }
}

function numberLines(text: string, first: number): string {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) =>
    `${String(first + index).padStart(NUMBER_WIDTH)}\t${line.replace(/\r$/, "")}`
  ).join("\n");
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
