/**
 * Carries out one edit: reads the file, changes it, and writes it without any moment at which data
 * could be lost.
 */

import { ServiceError } from "../../core/errors.ts";
import { type FileAction, translating } from "../filesystem/file_errors.ts";
import { Descriptor } from "../filesystem/safe_write/descriptor.ts";
import { hashBytes, readAll, toContent } from "../filesystem/safe_write/content.ts";
import { replaceFile } from "../filesystem/safe_write/replace_file.ts";
import type { Writing } from "../filesystem/safe_write/replacing.ts";
import type { Change, EditOutcome, EditTask, Undoing } from "./edit_task.ts";
import { planPatch } from "./patch/plan_patch.ts";
import { planInsertion } from "./plan_insertion.ts";
import { removeUnchanged } from "./remove_unchanged.ts";
import { planReplacement } from "./plan_replacement.ts";
import { applySplice, reverseSplice, sizeAfter, type Splice } from "./splice.ts";

export interface EditTools extends Writing {
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

/** @throws ServiceError for failures that the caller can act on; the file is then untouched. */
export async function carryOut(task: EditTask, tools: EditTools): Promise<EditOutcome> {
  const { attempt, change } = task;
  const file = await readWhole(task);
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
): Promise<EditOutcome> {
  const { attempt } = task;
  if (hashBytes(file.bytes) !== edit.after) throw changedSince(attempt.path);
  tools.checkStop();
  if (edit.undo !== "remove") {
    await writeSplice(task, tools, { file, splice: edit.undo });
    return "undone";
  }
  const known = { size: file.bytes.length, hash: edit.after };
  const removed = await translating(
    attempt,
    () => removeUnchanged(tools.journal, file.path, known),
  );
  if (!removed) throw changedSince(attempt.path);
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
  return await translating(
    attempt,
    () => replaceFile(writing, { ...file, old }, applySplice(file.bytes, splice)),
  );
}

/**
 * Opens the file for writing too, to check that this user may change it. Never waits for bytes that
 * may not arrive.
 */
async function readWhole({ path, attempt, maxBytes }: EditTask): Promise<ReadFile> {
  return await translating(attempt, async () => {
    await using file = await Descriptor.open(path, "both");
    const info = await Deno.stat(path);
    await file.checkIs(info);
    checkSize(attempt, info.size, maxBytes);
    const bytes = await readAll(file, info.size, maxBytes);
    checkSize(attempt, bytes.length, maxBytes); // the file has grown meanwhile
    return { path, info, bytes };
  });
}

function checkSize({ action, path }: FileAction, size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new ServiceError(
    "too_large",
    `${action} ${
      JSON.stringify(path)
    }: ${size} bytes are more than the ${maxBytes} that the editor takes (--max-edit)`,
  );
}

function changedSince(path: string): ServiceError {
  return new ServiceError(
    "conflict",
    `Cannot undo in ${JSON.stringify(path)}: somebody else has changed it since the last edit`,
  );
}
