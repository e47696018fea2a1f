/** Files that only their owner can access: checked when read, and written whole or not at all. */

import type { FileHandle } from "node:fs/promises";
import { ServiceError } from "../../core/errors.ts";
import { isThere, openRegular, readStart, replaceAtomically } from "../../core/files.ts";
import { type HelperRun, runHelper } from "../helper_program.ts";
import { letsIn } from "../private_folder.ts";
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
 * @throws ServiceError `unavailable` when other users can access it, another user owns it, or it has more
 * than `maxBytes`
 */
export async function readPrivate(
  path: string,
  what: string,
  maxBytes = Infinity,
): Promise<PrivateFile | undefined> {
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
  const fail = (error: unknown) => {
    throw unusable(path, what, error);
  };
  const { ino } = await file.stat().catch(fail);
  if (info.ino !== null && ino !== info.ino) {
    throw unusable(path, what, "it was replaced in the meantime: try again");
  }
  const { mode, uid, size } = info;
  if (mode !== null && letsIn(mode, OTHERS)) {
    const octal = (mode & 0o777).toString(8);
    throw unusable(
      path,
      what,
      `other users can access it (mode ${octal}): run chmod 600 "${path}"`,
    );
  }
  if (uid !== null && !trustedOwners().has(uid)) {
    const reason = `it belongs to user ${uid}: run chown ${Deno.uid()} "${path}"`;
    throw unusable(path, what, reason);
  }
  if (size > maxBytes) throw unusable(path, what, `it has more than ${maxBytes} bytes`);
  return { bytes: await readStart(file, maxBytes).catch(fail), stamp: makeStamp(info) };
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
    throw unusable(path, what, "it is a link to a file that does not exist");
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
  return makeStamp(await replaceAtomically(path, bytes, PRIVATE));
}

/** @param cause half a sentence, or the error that says it */
export function unusable(path: string, what: string, cause: unknown): ServiceError {
  const isDenied = cause instanceof Deno.errors.PermissionDenied;
  const said = typeof cause === "string" ? cause : (cause as Error).message;
  const text = `Cannot use the ${what} "${path}": ${isDenied ? "permission denied" : said}`;
  return new ServiceError("unavailable", text, { cause });
}

/** Also another one when the permissions change. */
function makeStamp({ dev, ino, size, mtime, mode, uid }: Deno.FileInfo): string {
  return [dev, ino, size, mtime?.getTime(), mode, uid].join(" ");
}

// A lock that one process holds at a time; the system releases it whenever the process ends.

export interface FileLock extends Disposable {
  readonly path: string;
  /**
   * Whether the path still leads to the locked file, which others would lock.
   * @throws ServiceError `unavailable` when the disk does not say
   */
  isInPlace(): Promise<boolean>;
}

/**
 * @param take locks the file, or throws
 * @throws ServiceError `unavailable` when the file cannot be used; that of `take`
 */
export async function lockPrivate(
  path: string,
  what: string,
  take: (file: Deno.FsFile) => Promise<void>,
): Promise<FileLock> {
  const fail = (error: unknown) => {
    throw error instanceof ServiceError ? error : unusable(path, what, error);
  };
  const options = { read: true, write: true, create: true, mode: PRIVATE };
  const file = await Deno.open(path, options).catch(fail);
  try {
    await take(file);
  } catch (error) {
    file.close();
    return fail(error);
  }
  return {
    path,
    async isInPlace() {
      const { dev, ino } = await file.stat().catch(fail);
      const there = await Deno.stat(path).catch(() => undefined);
      return there !== undefined && there.dev === dev && there.ino === ino;
    },
    [Symbol.dispose]() {
      file.unlockSync(); // a program that starts now has a copy of the descriptor until it runs
      file.close();
    },
  };
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
