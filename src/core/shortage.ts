/** Recognises a lack of descriptors, in whatever form Deno reports it. */

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
