/**
 * The ports for the effect of clicks: which window then has the keyboard focus, and when the click
 * was handled.
 */

import type { Point } from "../../core/geometry.ts";
import type { Button } from "./input.ts";

/**
 * Where keys go after a click: to the clicked window or to another one. `held back`: the click
 * itself has not been delivered yet, because a window manager still holds it.
 */
export type KeyTarget = "clicked" | "elsewhere" | "held back";

export interface Focus {
  /** Where keys go now, relative to the clicked window. */
  keyTarget(clicked?: Clicked): Promise<KeyTarget>;
}

export interface Delivery {
  /**
   * Whether a click of this button has not been delivered yet. Not to be called for a button that
   * is held down on purpose. With `isPatient` the query leaves in the same packet as whatever is
   * sent next; a confirmation that follows directly then waits for its answer.
   */
  heldBack(button: Button, options?: { readonly isPatient?: boolean }): Promise<boolean>;
  /**
   * Resolves when the window manager and the program at that point report that they have handled
   * the click; `false` after one second.
   */
  handled(at?: Point): Promise<boolean>;
  /**
   * Resolves when the program that has the keyboard reports that it has handled all keys so far;
   * `false` after one second, and where it has no way to report that.
   */
  keysHandled(): Promise<boolean>;
}

/**
 * A click: its button, unless that is held down on purpose, and its position, unless that is the
 * cursor's.
 */
export type Clicked = { readonly button?: Button | undefined; readonly at?: Point | undefined };
