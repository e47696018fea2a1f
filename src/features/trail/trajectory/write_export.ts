/** Writes an export: beside its place first, and there at once when all of it is on the disk. */

import { dirname, join } from "node:path";
import { writeAll } from "../../../core/bytes.ts";
import { isThere, syncFolder } from "../../../core/files.ts";
import { fileError, translating } from "../../filesystem/file_errors.ts";
import type { Writing } from "../../filesystem/safe_write/exchange.ts";
import { trySyncFolder, withTemporary } from "../../filesystem/safe_write/temporary.ts";
import { moveExclusively } from "../../filesystem/transfer.ts";
import type { ExportFile } from "./exports.ts";

/** What others do and what a display shows are nobody else's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface Written {
  readonly files: number;
  readonly bytes: number;
}

/**
 * @param files one with an empty name is the file at `path`; else `path` is a folder with them
 * @throws ServiceError `already_exists`, and what the disk says; the signal's reason
 */
export async function writeExport(
  path: string,
  files: Iterable<ExportFile>,
  { writing, signal }: { readonly writing: Writing; readonly signal: AbortSignal },
): Promise<Written> {
  const attempt = { action: "Cannot export to", path, field: "path" };
  return await translating(attempt, async () => {
    if (await isThere(path)) {
      const state = "it already exists: choose another path, or delete it";
      throw fileError(attempt, "already_exists", state);
    }
    return await withTemporary(writing.journal, path, async (from) => {
      const written = await writeFiles(from, files, signal);
      const isFolder = (await Deno.lstat(from)).isDirectory;
      await moveExclusively(writing.files, { from, to: path, isFolder });
      await trySyncFolder(dirname(path));
      return written;
    });
  });
}

async function writeFiles(
  to: string,
  files: Iterable<ExportFile>,
  signal: AbortSignal,
): Promise<Written> {
  let [count, bytes] = [0, 0];
  const folders = new Set<string>();
  for (const { name, parts } of files) {
    const path = name === "" ? to : join(to, name);
    for (const folder of name === "" ? [] : [to, dirname(path)]) {
      if (!folders.has(folder)) await Deno.mkdir(folder, { mode: FOLDER_MODE });
      folders.add(folder);
    }
    using file = await Deno.open(path, { write: true, createNew: true, mode: FILE_MODE });
    for (const part of parts) {
      signal.throwIfAborted();
      const data = typeof part === "string" ? new TextEncoder().encode(part) : part;
      await writeAll(file, data);
      bytes += data.length;
    }
    await file.syncData();
    count++;
  }
  for (const folder of folders) await syncFolder(folder);
  return { files: count, bytes };
}
