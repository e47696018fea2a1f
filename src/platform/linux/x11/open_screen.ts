/** Opens a screen of an X server, with a message that explains a failure. */

import { ServiceError } from "../../../core/errors.ts";
import type { Screen } from "../../types/mod.ts";
import { X11ScreenReader } from "./screen_reader.ts";
import { XOpenError } from "./setup.ts";

/** @throws ServiceError */
export async function openX11Screen(name: string): Promise<Screen> {
  try {
    return await X11ScreenReader.open(name);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const failure = describeOpenFailure(name, error);
    throw new ServiceError("unavailable", `Cannot read the screen: ${failure}`, { cause: error });
  }
}

// Describes why an X display cannot be opened, with different messages for "there is none" and "it
// refuses".

/** Half a sentence, such as `no X server answers at ":7"`. */
export function describeOpenFailure(xDisplay: string, error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  if (!(error instanceof XOpenError)) return `"${xDisplay}" fails: ${(error as Error).message}`;
  return error.kind === "absent" ? `no X server answers at "${xDisplay}"` : error.message;
}

export function isRefused(error: unknown): boolean {
  return error instanceof XOpenError && error.kind === "refused";
}
