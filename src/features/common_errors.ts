/** Error cases that many operations share, by error code. */

import type { DeclaredErrors } from "./outcomes.ts";

/** For operations that read a display. */
export const DISPLAY_ERRORS = {
  permission_denied: "The system does not let the service read the screen.",
  conflict: "The display changed its size meanwhile.",
  unsupported: "This system or this display cannot do that; the message says why.",
  unavailable: "The display is not there now, or too many pictures are being made.",
} as const satisfies DeclaredErrors;

/** For operations that send input. */
export const INPUT_ERRORS = {
  permission_denied: "The system does not let the service send input.",
  conflict: "Release-all ended the operation, or a click before it was not delivered.",
  unsupported: "This system cannot send that input; the message says why.",
  unavailable: "The display is not there now, or too many input operations wait.",
} as const satisfies DeclaredErrors;

/** For operations on existing files. */
export const FILE_ERRORS = {
  not_a_directory: "A part of the path is a file.",
  is_a_directory: "The path is a folder, and a file is needed.",
  not_a_file: "The path is a device, a socket, a pipe, or a link in a circle.",
  permission_denied: "The user who runs the service may not do that.",
  not_found: "There is no such file or folder.",
  conflict: "The system is using the file, or another program has changed it meanwhile.",
  too_large: "The file is larger than the file system or a limit of the service allows.",
  unsupported: "The file system cannot do that.",
  unavailable: "The disk is full or fails, too many operations wait, or too many files are open.",
  timed_out: "The file system does not answer in time.",
} as const satisfies DeclaredErrors;
