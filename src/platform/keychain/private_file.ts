/** Files that only their owner can access: checked when read, and written whole or not at all. */

import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { writeAll } from "../../core/bytes.ts";
import { ServiceError } from "../../core/errors.ts";
import { isThere, syncFolder } from "../../core/files.ts";
import { openRegular, readStart } from "../../core/open_regular.ts";
import { type HelperRun, runHelper } from "../helper_program.ts";
import { trustedOwners } from "../posix/process_table.ts";

const PRIVATE = 0o600;
const OTHERS = 0o077;

type Bytes = Uint8Array<ArrayBuffer>;

/** The contents of a file, and a stamp that distinguishes them from a later version. */
interface PrivateFile {
  readonly bytes: Bytes;
  readonly stamp: string;
}

/**
 * Reads a file; `undefined` when there is none.
 * @throws ServiceError `unavailable` when other users can access it, or another user owns it
 */
export async function readPrivate(path: string, what: string): Promise<PrivateFile | undefined> {
  let info: Deno.FileInfo;
  let file: FileHandle;
  try {
    info = await Deno.stat(path);
    file = await openRegular(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw unusable(path, what, error);
  }
  await using _closed = { [Symbol.asyncDispose]: () => file.close() };
  const { ino } = await file.stat();
  if (info.ino !== null && ino !== info.ino) {
    throw unusable(path, what, new Error("it was replaced in the meantime: try again"));
  }
  if (info.mode !== null && (info.mode & OTHERS) !== 0) throw tooWide(path, what, info.mode);
  if (info.uid !== null && !trustedOwners().has(info.uid)) throw ofAnother(path, what, info.uid);
  return { bytes: await readStart(file, Infinity), stamp: makeStamp(info) };
}

/** The stamp that distinguishes the file at `path` from earlier ones; `undefined` if missing. */
export async function stampAt(path: string): Promise<string | undefined> {
  try {
    return makeStamp(await Deno.stat(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unusable(path, "file", error);
  }
}

/** The real path of a file: links are followed, so that replacing the file keeps the link. */
export async function resolvePrivatePath(path: string, what: string): Promise<string> {
  if (!await isPresent(path)) return path;
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw unusable(path, what, error);
    throw unusable(path, what, new Error("it is a link to a file that does not exist"));
  }
}

/** Whether anything exists at the path, even a dangling link. */
export async function isPresent(path: string): Promise<boolean> {
  return await isThere(path).catch((error) => {
    throw unusable(path, "file", error);
  });
}

/**
 * Replaces a file atomically: a crash leaves either the old or the new one, and once this resolves
 * the new one is on the disk.
 * @returns the stamp of the new file
 */
export async function replacePrivate(path: string, bytes: Bytes): Promise<string> {
  const next = `${path}.new`;
  await Deno.remove(next).catch(() => {}); // left by a crash, possibly with other permissions
  try {
    const stamp = await writeNew(next, bytes);
    await Deno.rename(next, path);
    await syncFolder(dirname(path));
    return stamp;
  } catch (error) {
    await Deno.remove(next).catch(() => {}); // free the space: the disk may be full
    throw error;
  }
}

/** Creates a file that must not exist yet: complete, or not at all if the service is killed. */
export async function createPrivate(path: string, bytes: Bytes): Promise<void> {
  if (await isPresent(path)) throw new Deno.errors.AlreadyExists("it already exists");
  await replacePrivate(path, bytes);
}

export function unusable(path: string, what: string, cause: unknown): ServiceError {
  const reason = cause instanceof Deno.errors.PermissionDenied
    ? "permission denied"
    : (cause as Error).message;
  return new ServiceError("unavailable", `Cannot use the ${what} "${path}": ${reason}`, { cause });
}

async function writeNew(path: string, bytes: Bytes): Promise<string> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE });
  await writeAll(file, bytes);
  await file.sync();
  return makeStamp(await file.stat());
}

function makeStamp({ dev, ino, size, mtime }: Deno.FileInfo): string {
  return [dev, ino, size, mtime?.getTime()].join(" ");
}

function tooWide(path: string, what: string, mode: number): ServiceError {
  const shown = (mode & 0o777).toString(8);
  return new ServiceError(
    "unavailable",
    `Cannot use the ${what} "${path}": other users can access it (mode ${shown}): run chmod 600 "${path}"`,
  );
}

function ofAnother(path: string, what: string, uid: number): ServiceError {
  return new ServiceError(
    "unavailable",
    `Cannot use the ${what} "${path}": it belongs to user ${uid}: run chown ${Deno.uid()} "${path}"`,
  );
}

// Runs a program that handles secrets: they go in by its standard input, and its output is never
// logged or quoted.

interface PrivateRun extends Omit<HelperRun, "signal" | "detached" | "failure"> {
  /** The program is killed after this time: it may be waiting for a person. */
  readonly timeoutMs: number;
}

export interface PrivateResult {
  readonly code: number;
  readonly stdout: string;
  /** Whether the program wrote to its standard error. */
  readonly complained: boolean;
}

/** @throws ServiceError `unavailable` when it is not installed or takes too long. */
export async function runPrivately(run: PrivateRun): Promise<PrivateResult> {
  const { program, timeoutMs } = run;
  const states = {
    "not installed": "is not installed",
    "not started": "cannot be started",
    late: `did not respond within ${timeoutMs} ms`,
  };
  const { code, stdout, stderr } = await runHelper({
    ...run,
    failure: (state) =>
      new ServiceError("unavailable", `Cannot use the keychain: "${program}" ${states[state]}`),
  });
  return { code, stdout, complained: stderr !== "" };
}
