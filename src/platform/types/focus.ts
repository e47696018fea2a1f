/** The ports for what becomes of clicks: which window gets the keys after them, and when they have arrived. */

import type { Point } from "../../core/geometry.ts";
import type { Button } from "./input.ts";

/**
 * Where keys go after a click: to the window under the cursor, or to another one; or the click itself
 * has not been delivered yet, because a window manager takes its time.
 */
export type KeyTarget = "clicked" | "elsewhere" | "held back";

export interface Focus {
  /** Where keys go now, seen from the window that was clicked. */
  keyTarget(clicked?: Clicked): Promise<KeyTarget>;
}

export interface Delivery {
  /**
   * Whether a click of this button, which is not held down on purpose, has not been delivered yet. With
   * `isPatient` it is asked together with what is sent next, such as a confirmation.
   */
  heldBack(button: Button, options?: { readonly isPatient?: boolean }): Promise<boolean>;
  /** Resolves when window manager and program there say that they have handled the click; `false` after a second. */
  handled(at?: Point): Promise<boolean>;
}

/** A click: its button, unless it is held down on purpose, and where it was, if not under the cursor. */
export type Clicked = { readonly button?: Button | undefined; readonly at?: Point | undefined };
