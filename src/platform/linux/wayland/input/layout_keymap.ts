/** The keymap that a compositor tells, for layouts whose keys are pressed as they are. */

import { ServiceError } from "../../../../core/errors.ts";
import { type Keymap, openKeymap } from "../keymap/keymap.ts";

/** @throws ServiceError `unsupported` when it cannot be read */
export function openLayoutKeymap(text: string): Keymap {
  try {
    return openKeymap(text);
  } catch (error) {
    throw new ServiceError(
      "unsupported",
      `Cannot press keys: the keyboard layout cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
