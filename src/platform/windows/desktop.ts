/** Finds out whether this process can see and control the current desktop. */

import { ServiceError } from "../../core/errors.ts";
import { DESKTOP_READOBJECTS, type User32 } from "../../../ffi/windows/user32.ts";

const SECURE = "Windows shows its secure desktop (a locked screen, the sign-in or a prompt for " +
  "administrator rights), or the service runs outside of a desktop session: unlock the screen, or " +
  "start the service in the session of the user";

/**
 * The error for an action that failed on the desktop: `unavailable` when this process has no access
 * to the desktop now.
 */
export function desktopFailure(
  user32: Pick<User32, "OpenInputDesktop" | "CloseDesktop">,
  action: string,
  otherwise: ServiceError,
): ServiceError {
  const desktop = user32.OpenInputDesktop(0, 0, DESKTOP_READOBJECTS);
  if (desktop === null) return new ServiceError("unavailable", `${action}: ${SECURE}`);
  user32.CloseDesktop(desktop);
  return otherwise;
}
