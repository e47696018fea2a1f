/**
 * Opens a file without blocking on a FIFO's other end, but waits briefly for a lease that another
 * program holds.
 */

import { pause } from "../../core/deadline.ts";
import { type FileHandle, open } from "node:fs/promises";
import { ServiceError } from "../../core/errors.ts";
import { systemCode } from "./file_errors.ts";

/** How long to wait for a lease of another program, or of one of our own edits, in milliseconds. */
const MAX_LEASE_MS = 10_000;
const LOOK_MS = 2;

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
    await pause(LOOK_MS);
  }
}

function isLeased(error: unknown): boolean {
  return ["EAGAIN", "EWOULDBLOCK"].includes(systemCode(error)) ||
    error instanceof Deno.errors.WouldBlock;
}

function keptByAnother(path: string): ServiceError {
  return new ServiceError(
    "unavailable",
    `Cannot open ${JSON.stringify(path)}: another program keeps it to itself: try again`,
  );
}
