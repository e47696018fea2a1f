/** Opens a screen of an X server, with a message that explains a failure. */

import { ServiceError } from "../../../core/errors.ts";
import type { Screen } from "../../types/mod.ts";
import { describeOpenFailure } from "./open_failure.ts";
import { X11ScreenReader } from "./screen_reader.ts";

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
