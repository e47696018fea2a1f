/** Error cases that many operations share, by error code. */

import type { DeclaredErrors } from "./outcomes.ts";

/** For operations that read a display. */
export const DISPLAY_ERRORS = {
  permission_denied: "The system does not let the service read the screen.",
  conflict: "The display changed its size during the operation.",
  unsupported: "This system or this display cannot do that; the message says why.",
  unavailable: "The display is not available now, or too many pictures are being taken.",
} as const satisfies DeclaredErrors;

/** For operations that send input. */
export const INPUT_ERRORS = {
  permission_denied: "The system does not let the service send input.",
  conflict: "`system/release-all` ended the operation, or an earlier click was not delivered.",
  unsupported: "This system cannot send that input; the message says why.",
  unavailable: "The display is not available now, or too many input operations are waiting.",
} as const satisfies DeclaredErrors;

/** For operations that send input at a point or at an element. */
export const TARGET_ERRORS = {
  ...INPUT_ERRORS,
  conflict:
    `${INPUT_ERRORS.conflict} The element of \`ref\` is gone or changed, does not show, or is covered.`,
  timed_out: "The program of the element of `ref` does not answer.",
} as const satisfies DeclaredErrors;

/** For operations on existing files. */
export const FILE_ERRORS = {
  not_a_directory: "A component of the path is a file, not a folder.",
  is_a_directory: "The path is a folder where a file is expected.",
  not_a_file: "The path is a device, a socket, a pipe, or a symbolic link that leads in a circle.",
  permission_denied: "The user who runs the service lacks the permission.",
  not_found: "There is no such file or folder.",
  conflict: "The system is using the file, or another program has changed it meanwhile.",
  too_large: "The file is larger than the file system or a limit of the service allows.",
  unsupported: "The file system cannot do that.",
  unavailable:
    "The disk is full or failing, too many operations are waiting, or too many files are open.",
  timed_out: "The file system did not answer in time.",
} as const satisfies DeclaredErrors;
