/** Error messages for missing macOS permissions; they name the setting to open. */

import { ServiceError } from "../../core/errors.ts";

const SETTINGS = "System Settings > Privacy & Security";
const AGAIN = "allow the program that starts this service (the terminal, or deno), then restart it";

/** The message when the Accessibility permission is missing. */
export const NEEDS_ACCESSIBILITY =
  `macOS does not let this service control the mouse and keyboard: open ${SETTINGS} > Accessibility, ${AGAIN}`;

/** The message when the Screen Recording permission is missing. */
export const NEEDS_SCREEN_RECORDING =
  `macOS does not let this service see the screen: open ${SETTINGS} > Screen Recording ` +
  `("Screen & System Audio Recording" since macOS 15), ${AGAIN}`;

/** The message while the login window covers the screen. */
export const LOCKED = "the screen of this Mac is locked: a person must unlock it";

export function needsAccessibility(): ServiceError {
  return new ServiceError("permission_denied", `Nothing was done: ${NEEDS_ACCESSIBILITY}`);
}

export function needsScreenRecording(): ServiceError {
  return new ServiceError(
    "permission_denied",
    `Cannot take a picture: ${NEEDS_SCREEN_RECORDING}`,
  );
}
