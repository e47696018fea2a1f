/** A lack of descriptors: lets Deno survive it, and recognises it in whatever form Deno reports it. */

import { ServiceError } from "./errors.ts";

/** The descriptors of this process, or of the whole system, are used up. */
const CODES = new Set<unknown>(["EMFILE", "ENFILE"]);
const TEXT = /too many open files/i;

/** The error for the caller, who may try again later; `undefined` if `error` is another one. */
export function shortageError(error: unknown): ServiceError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!CODES.has(code) && !TEXT.test(String(message))) return undefined;
  const text = "The service has too many files and connections open: try again";
  return new ServiceError("unavailable", text, { cause: error });
}

/**
 * Reads the stack of an error; call it once in the main thread, early. For the first stack Deno
 * measures that of the thread, which takes a descriptor, and without one it ends the program.
 */
export function readFirstStack(): string | undefined {
  return new Error("The first one").stack;
}
