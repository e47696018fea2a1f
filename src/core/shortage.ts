/** A lack of descriptors: lets Deno survive it, and recognises it in whatever form Deno reports it. */

import { ServiceError } from "./errors.ts";

/** The descriptors of this process, or of the whole system, are used up. */
const CODES = new Set<unknown>(["EMFILE", "ENFILE"]);
const TEXT = /too many open files/i;

/**
 * The error for the caller, who may try again later; `undefined` if `error` is another one. Without a
 * free descriptor every error is one of these: a module that cannot be opened, for one, is reported as
 * damaged or missing.
 */
export function shortageError(error: unknown): ServiceError | undefined {
  if (!isShortage(error) && hasFreeDescriptor()) return undefined;
  const text = "The service has too many files and connections open: try again";
  return new ServiceError("unavailable", text, { cause: error });
}

function isShortage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return CODES.has(code) || TEXT.test(String(message));
}

/**
 * Lets stacks be read without a free descriptor; call it once in the main thread, early. Deno maps a
 * frame to its line in TypeScript by a file of its cache; where it cannot open that, it compiles the
 * module again, for which it measures the thread's stack by another file, and ends the program
 * without that. Such stacks have no frames.
 */
export function surviveStacksWithoutFiles(): void {
  Error.prepareStackTrace = (error, frames) =>
    hasFreeDescriptor() ? [error, ...frames].join("\n    at ") : String(error);
}

function hasFreeDescriptor(): boolean {
  try {
    Deno.openSync(".").close();
    return true;
  } catch (error) {
    return !isShortage(error);
  }
}
