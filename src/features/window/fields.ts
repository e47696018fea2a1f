/** What the operations on windows share: the id of a window, and why they fail. */

import { z } from "zod";

const MAX_ID = 64;

export const SEEING = {
  permission_denied: "The system does not let the service look at windows.",
  unsupported: "Windows cannot be seen or changed here; the message says why.",
  unavailable: "The display is not available now, or too many input operations are waiting.",
};

export const NAMING = {
  ...SEEING,
  not_found: "The window has closed, or there never was one with this id.",
};

export const WindowIdField = z.string().min(1).max(MAX_ID).describe(
  "The `id` of the window, from `window/list`.",
);
