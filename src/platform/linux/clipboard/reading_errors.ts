/** What goes wrong while a clipboard is read, in the words of every desktop. */

import { ServiceError } from "../../../core/errors.ts";
import type { TypeReading } from "./typed_clipboard.ts";

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The clipboard has more than ${maxBytes} bytes in one format, which is more than the service reads`,
  );
}

export function tooManyFiles(maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The list of copied files has more than ${maxBytes} bytes: copy fewer files, or their folder`,
  );
}

export function unresponsiveOwner(idleMs: number): ServiceError {
  return new ServiceError(
    "timed_out",
    `The program that owns the clipboard has sent no data for ${Math.ceil(idleMs)} ms: ` +
      "copy something in another program, or clear the clipboard",
  );
}

/** Resolves with what comes through a pipe, and says what is wrong in the words of clipboards. */
export async function translated<T>(
  reading: Promise<T>,
  { maxBytes, idleMs }: TypeReading,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined;
    if (code === "too_large") throw tooLarge(maxBytes);
    if (code === "timed_out") throw unresponsiveOwner(idleMs);
    throw error;
  }
}
