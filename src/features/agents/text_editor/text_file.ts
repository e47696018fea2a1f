/**
 * Edits one text file as models are trained to do it: a replacement that must be unique, insertion
 * after a line. Shared by the text editors and the memory tool.
 */

import { ServiceError } from "../../../core/errors.ts";
import { findLinesOf } from "../../editor/find_lines_of.ts";
import { call, hasCode, type TextFile } from "./editing.ts";
import { readNumbered } from "./view_text.ts";

/** The most bytes that are read to explain a change: as base64 any fit an answer. */
const MAX_LOOK = 700_000;
/** Lines shown before and after a change. */
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
  const count = before === undefined ? Infinity : countLines(new TextDecoder().decode(before));
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

/** The whole file; `undefined` for a long one, whose changes are then explained less well. */
async function readWhole({ context, path }: TextFile): Promise<Uint8Array | undefined> {
  const part = { length: MAX_LOOK, encoding: "base64" };
  const read = await call(context, "readFile", { path, ...part });
  const { content, size, next_offset } = read as FileStart;
  return next_offset < size ? undefined : Uint8Array.fromBase64(content);
}

interface FileStart {
  readonly content: string;
  readonly size: number;
  readonly next_offset: number;
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
    const { lines } = await readNumbered(context, { path, range: [first, last] });
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
