/**
 * Describes why an X display cannot be opened, with different messages for "there is none" and "it
 * refuses".
 */

import { ServiceError } from "../../../core/errors.ts";
import { XOpenError } from "./setup.ts";

/** Half a sentence, such as `no X server answers at ":7"`. */
export function describeOpenFailure(xDisplay: string, error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  if (!(error instanceof XOpenError)) return `"${xDisplay}" fails: ${(error as Error).message}`;
  return error.kind === "absent" ? `no X server answers at "${xDisplay}"` : error.message;
}

export function isRefused(error: unknown): boolean {
  return error instanceof XOpenError && error.kind === "refused";
}
