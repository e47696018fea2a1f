/** What the mice of all Wayland compositors have in common. */

import { missing } from "../../../open_port.ts";
import type { Button } from "../../../types/mod.ts";

/** `linux/input-event-codes.h`; mice send SIDE and EXTRA for back and forward. */
export const BUTTON_CODES = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
} satisfies Record<Button, number>;

export const NO_PIXELS = missing(
  "Cannot scroll by pixels: on Wayland each program turns the way of a wheel into pixels as it " +
    "likes; scroll by `clicks` without `unit`",
);
