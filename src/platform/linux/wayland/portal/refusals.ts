/** What the answers say when a person has to allow something first. */

import { ServiceError } from "../../../../core/errors.ts";

const GRANT = "computer-control grant portal";
const ALLOW = 'switch on "Allow remote interaction" in it where the desktop has that switch';

export const REFUSALS = {
  notGranted: "The desktop has not been asked to let this service see and control it: run " +
    `${GRANT} in the session, and allow it there`,
  refused: `The desktop's dialogue was refused: run ${GRANT}, and allow it there`,
  asking: "The desktop asks for consent again, because the stored permission is not valid any " +
    `more: allow it in the dialogue on the screen, or run ${GRANT} again`,
  unanswered: `Nobody has answered the desktop's dialogue: run ${GRANT}, and allow it there`,
  stopped: `The person at the desktop has ended the session of this service: run ${GRANT} to ` +
    "allow it again",
  lookOnly: "The desktop lets this service see the screen and not use mouse and keyboard: run " +
    `${GRANT} again, and ${ALLOW}`,
  controlAsking: "Mouse and keyboard wait for consent, for which this desktop asks at each start " +
    `of the service: allow it in the dialogue on the screen, and ${ALLOW}`,
  otherMonitor:
    "Mouse and keyboard were allowed for another monitor than the one that is seen: start " +
    "the service again, and choose the same monitors in the dialogue",
  controlRefused: "Mouse and keyboard were refused in the desktop's dialogue: start the service " +
    `again, allow it there, and ${ALLOW}`,
  controlStopped: "The person at the desktop has ended the control by this service: start the " +
    "service again to ask for it",
} as const;

export function denied(refusal: keyof typeof REFUSALS, cause?: unknown): ServiceError {
  return new ServiceError("permission_denied", REFUSALS[refusal], { cause });
}

export function isDenied(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "permission_denied";
}
