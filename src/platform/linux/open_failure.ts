/** The sentences on why an X display cannot be opened: "there is none" and "it refuses" are two messages. */

import { ServiceError } from "../../errors.ts";
import { XOpenError } from "./x11/connection.ts";

/** Half a sentence, as in `no X server answers at ":7"`. */
export function describeOpenFailure(xDisplay: string, error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  if (!(error instanceof XOpenError)) return `"${xDisplay}" fails: ${(error as Error).message}`;
  if (error.kind === "absent") return `no X server answers at "${xDisplay}"`;
  if (error.kind === "foreign") return error.message;
  return `${error.message}. Run xhost "+si:localuser:$(id -un)" in its session, ` +
    `or set XAUTHORITY to the file with its cookie`;
}

export function isRefused(error: unknown): boolean {
  return error instanceof XOpenError && error.kind === "refused";
}
