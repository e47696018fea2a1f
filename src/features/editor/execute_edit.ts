/**
 * Carries out one edit: reads the file, changes it, and writes it without any moment at which data
 * could be lost.
 */

import { readAll } from "../../core/bytes.ts";
import { FieldError, type ServiceError } from "../../core/errors.ts";
import { type FileAction, fileError } from "../filesystem/file_errors.ts";
import { hashBytes, toContent } from "../filesystem/safe_write/content.ts";
import { Descriptor } from "../filesystem/safe_write/descriptor.ts";
import { takeAside } from "../filesystem/safe_write/temporary.ts";
import { replaceFile } from "../filesystem/safe_write/replace_file.ts";
import type { Writing } from "../filesystem/safe_write/exchange.ts";
import type { Change, EditResult, EditTask, Inserting, Replacing, Undoing } from "./edit_task.ts";
import {
  applySplice,
  findLineBreak,
  findMatches,
  LINE_FEED,
  markLength,
  reverseSplice,
  sizeAfter,
  type Splice,
  splitLines,
} from "./find_matches.ts";
import { planPatch } from "./patch/plan_patch.ts";

interface EditTools extends Writing {
  /**
   * @throws when no caller waits for the edit any more; an edit that has begun to write is always
   * finished.
   */
  checkStop(): void;
}

/** A file with its bytes and its real path. */
interface ReadFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  readonly bytes: Uint8Array;
}

/** @throws ServiceError or the system's error; the file is then untouched. */
export async function executeEdit(task: EditTask, tools: EditTools): Promise<EditResult> {
  const { attempt, change } = task;
  const file = await readFull(task);
  if (change.kind === "undo") return await undo(task, tools, { file, change });
  const splice = plan(file.bytes, change, {
    path: attempt.path,
    checkStop: () => tools.checkStop(),
  });
  if (splice === undefined || splice.at.length === 0) return "unchanged";
  tools.checkStop();
  const after = await writeSplice(task, tools, { file, splice });
  return { undo: reverseSplice(splice), after };
}

function plan(
  bytes: Uint8Array,
  change: Exclude<Change, Undoing>,
  options: { readonly path: string; checkStop(): void },
): Splice | undefined {
  if (change.kind === "replace") return planReplacement(bytes, change, options);
  if (change.kind === "patch") return planPatch(bytes, change, options);
  return planInsertion(bytes, change, options.path);
}

async function undo(
  task: EditTask,
  tools: EditTools,
  { file, change: { edit } }: { readonly file: ReadFile; readonly change: Undoing },
): Promise<EditResult> {
  const { attempt } = task;
  if (hashBytes(file.bytes) !== edit.after) throw changedSince(attempt);
  tools.checkStop();
  if (edit.undo !== "remove") {
    await writeSplice(task, tools, { file, splice: edit.undo });
    return "undone";
  }
  // moved aside first, so that no other program can change it by its name meanwhile
  await takeAside(tools.journal, file.path, async (aside) => {
    const now = await readFull({ ...task, path: aside }).catch(() => undefined);
    if (now === undefined || hashBytes(now.bytes) !== edit.after) throw changedSince(attempt);
  });
  return "undone";
}

/** Returns the hash of the new bytes. */
async function writeSplice(
  { attempt, maxBytes }: EditTask,
  writing: Writing,
  { file, splice }: { readonly file: ReadFile; readonly splice: Splice },
): Promise<string> {
  checkSize(attempt, sizeAfter(file.bytes.length, splice), maxBytes);
  const old = () => toContent(file.bytes);
  return await replaceFile(writing, { ...file, old }, applySplice(file.bytes, splice));
}

/**
 * Opens the file for writing too, to check that this user may change it. Never waits for bytes that
 * may not arrive.
 */
async function readFull({ path, attempt, maxBytes }: EditTask): Promise<ReadFile> {
  await using file = await Descriptor.open(path, "both");
  const info = await Deno.stat(path);
  await file.checkIs(info);
  checkSize(attempt, info.size, maxBytes);
  const bytes = await readAll(file, info.size, maxBytes);
  checkSize(attempt, bytes.length, maxBytes); // the file has grown meanwhile
  return { path, info, bytes };
}

/** @throws ServiceError `too_large` */
export function checkSize(attempt: FileAction, size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  const state = `${size} bytes are more than the ${maxBytes} that the editor accepts`;
  throw fileError(attempt, "too_large", state);
}

function changedSince(attempt: FileAction): ServiceError {
  return fileError(attempt, "conflict", "another program has changed it since the last edit");
}

// Finds where to insert a text as lines of a file, and which line breaks it needs.

/**
 * @returns `undefined` for an empty text.
 * @throws FieldError when the file has too few lines.
 */
function planInsertion(
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
    throw new FieldError("insert_line", message);
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

// Finds where a text occurs in the bytes of a file, and plans its replacement.

/**
 * @returns `undefined` when both texts are equal.
 * @throws FieldError when the text does not occur, or not only once, ServiceError `too_large` when it occurs too
 * often.
 */
function planReplacement(
  bytes: Uint8Array,
  { oldText, newText, limit, unique }: Replacing,
  { path, checkStop }: { readonly path: string; checkStop(): void },
): Splice | undefined {
  const encoder = new TextEncoder();
  const [removed, inserted] = [encoder.encode(oldText), encoder.encode(newText)];
  const at = findMatches(bytes, removed, { limit, checkStop });
  if (at === undefined) {
    const state = `old_str occurs more than ${limit} times`;
    throw fileError({ action: "Cannot edit", path }, "too_large", state);
  }
  if (at.length === 0) throw new FieldError("old_str", notFound(path, bytes));
  if (unique && at.length > 1) throw new FieldError("old_str", notUnique(path, at.length));
  return oldText === newText ? undefined : { at, removed, inserted };
}

function notFound(path: string, bytes: Uint8Array): string {
  const start = `old_str does not occur in ${JSON.stringify(path)}: it must match exactly, with ` +
    "every space and line break";
  return bytes.includes(13) ? `${start}; this file has "\\r\\n" line breaks` : start;
}

function notUnique(path: string, count: number): string {
  return `old_str occurs ${count} times in ${JSON.stringify(path)}, and unique was requested: ` +
    "include more of the text around it";
}
