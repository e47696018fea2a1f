/** A lock that one process holds at a time; the system releases it whenever the process ends. */

import { ServiceError } from "../../core/errors.ts";
import { unusable } from "./private_file.ts";

const WHAT = "keychain's lock";
const PRIVATE = 0o600;
const MAX_PID_LENGTH = 20;

export interface FileLock extends Disposable {
  readonly path: string;
  /** Whether the path still leads to the locked file, which others would lock. */
  isInPlace(): Promise<boolean>;
}

/** @throws ServiceError `unavailable` immediately when another process holds it */
export async function lockFile(path: string): Promise<FileLock> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true, write: true, create: true, mode: PRIVATE });
  } catch (error) {
    throw unusable(path, WHAT, error);
  }
  try {
    if (!await file.tryLock(true)) throw await taken(file);
    await file.truncate();
    await file.write(new TextEncoder().encode(String(Deno.pid)));
  } catch (error) {
    file.close();
    throw error instanceof ServiceError ? error : unusable(path, WHAT, error);
  }
  return {
    path,
    async isInPlace() {
      const { dev, ino } = await file.stat();
      const there = await Deno.stat(path).catch(() => undefined);
      return there !== undefined && there.dev === dev && there.ino === ino;
    },
    [Symbol.dispose]: () => file.close(),
  };
}

async function taken(file: Deno.FsFile): Promise<ServiceError> {
  const text = new Uint8Array(MAX_PID_LENGTH);
  const length = await file.read(text).catch(() => null); // Windows refuses to read a locked file
  const pid = new TextDecoder().decode(text.subarray(0, length ?? 0));
  const who = /^\d+$/.test(pid) ? `process ${pid}` : "another process";
  return new ServiceError(
    "unavailable",
    `Cannot open the keychain file: ${who} uses it: end that service, or give this one a --state-dir of its own`,
  );
}
