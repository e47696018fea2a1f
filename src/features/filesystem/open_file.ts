/** Which entries are viewed and edited: regular files only, by their real path. */

import { type FileHandle, open } from "node:fs/promises";
import { pause } from "../../core/deadline.ts";
import type { ServiceError } from "../../core/errors.ts";
import { type FileAction, fileError, systemCode, translating } from "./file_errors.ts";

/** On Linux: an entry of an open folder, which stays that folder wherever its name leads by now. */
const IN_OPEN_FOLDER = /^\/proc\/self\/fd\/\d+\/[^/]+$/;

/**
 * The real path of an existing entry, with links followed; one in an open folder stays as it is.
 * @throws ServiceError `not_found` and similar.
 */
export function resolveLinks(attempt: FileAction): Promise<string> {
  const { path } = attempt;
  return translating(attempt, async () => {
    if (IN_OPEN_FOLDER.test(path) && !(await Deno.lstat(path)).isSymlink) return path;
    return await Deno.realPath(path);
  });
}

/** @throws ServiceError `is_a_directory` or `not_a_file` */
export function checkIsFile(
  attempt: FileAction,
  info: Pick<Deno.FileInfo, "isFile" | "isDirectory">,
): void {
  if (info.isFile) return;
  if (info.isDirectory) throw fileError(attempt, "is_a_directory", "it is a folder");
  throw fileError(attempt, "not_a_file", "it is a FIFO, a socket or a device");
}

// Opens a file without blocking on a FIFO's other end, but waits briefly for a lease that another
// program holds.

/** How long to wait for a lease of another program, or of one of our own edits, in milliseconds. */
const MAX_LEASE_MS = 10_000;
const POLL_INTERVAL_MS = 2;

/**
 * @param flags must include `O_NONBLOCK`, so that the system fails where it would otherwise block
 */
export async function openAtOnce(path: string, flags: number): Promise<FileHandle> {
  const deadline = performance.now() + MAX_LEASE_MS;
  while (true) {
    try {
      return await open(path, flags);
    } catch (error) {
      if (!isLeased(error)) throw error;
      if (performance.now() > deadline) throw keptByAnother(path);
    }
    await pause(POLL_INTERVAL_MS);
  }
}

function isLeased(error: unknown): boolean {
  return ["EAGAIN", "EWOULDBLOCK"].includes(systemCode(error)) ||
    error instanceof Deno.errors.WouldBlock;
}

function keptByAnother(path: string): ServiceError {
  const state = "another program has locked it: try again";
  return fileError({ action: "Cannot open", path }, "unavailable", state);
}
