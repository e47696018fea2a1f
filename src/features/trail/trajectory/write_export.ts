/**
 * Writes an export: beside its place first, and there at once when all of it is on the disk. A service
 * that is killed meanwhile leaves nothing at the place; what it has left beside it goes with the next
 * export to the same place.
 */

import { basename, dirname, join } from "node:path";
import { writeAll } from "../../../core/bytes.ts";
import { ServiceError } from "../../../core/errors.ts";
import { isThere, removeIfThere, syncFolder } from "../../../core/files.ts";
import { fileError, translating } from "../../filesystem/file_errors.ts";
import type { ExportFile } from "./exports.ts";

/** What others do and what a display shows are nobody else's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface Written {
  readonly files: number;
  readonly bytes: number;
}

/** Places that are written now: one at a time each. */
const writing = new Set<string>();

/**
 * @param files one with an empty name is the file at `path`; else `path` is a folder with them
 * @throws ServiceError `already_exists`, and what the disk says
 */
export async function writeExport(
  path: string,
  files: Iterable<ExportFile>,
  signal: AbortSignal,
): Promise<Written> {
  const attempt = { action: "Cannot export to", path, field: "path" };
  return await translating(attempt, async () => {
    if (writing.has(path)) throw fileError(attempt, "conflict", "another export writes there");
    writing.add(path);
    const beside = join(dirname(path), `.${basename(path)}.partial-`);
    const partial = `${beside}${crypto.randomUUID()}`;
    try {
      await refuseExisting(path);
      await removeLeft(beside);
      const written = await writeFiles(partial, files, signal);
      await refuseExisting(path);
      await Deno.rename(partial, path);
      await syncFolder(dirname(path));
      return written;
    } catch (error) {
      await Deno.remove(partial, { recursive: true }).catch(() => {}); // free the space
      throw error;
    } finally {
      writing.delete(path);
    }
  });
}

async function refuseExisting(path: string): Promise<void> {
  if (!await isThere(path)) return;
  const state = "it already exists: choose another path, or delete it";
  throw fileError({ action: "Cannot export to", path }, "already_exists", state);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What services that were killed have left, and nothing that has another name. */
async function removeLeft(beside: string): Promise<void> {
  for await (const { name } of Deno.readDir(dirname(beside))) {
    const start = basename(beside);
    if (!name.startsWith(start) || !UUID.test(name.slice(start.length))) continue;
    await removeIfThere(join(dirname(beside), name), { recursive: true });
  }
}

async function writeFiles(
  partial: string,
  files: Iterable<ExportFile>,
  signal: AbortSignal,
): Promise<Written> {
  let [count, bytes] = [0, 0];
  const folders = new Set<string>();
  for (const { name, parts } of files) {
    const path = name === "" ? partial : join(partial, name);
    const folder = dirname(path);
    if (name !== "" && !folders.has(folder)) {
      await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      folders.add(folder);
    }
    using file = await Deno.open(path, { write: true, createNew: true, mode: FILE_MODE });
    for (const part of parts) {
      if (signal.aborted) throw new ServiceError("unavailable", "The export was given up");
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
