/**
 * The ports for the effect of input: which window has the keyboard focus after a click, when the
 * click was handled, and which programs got input.
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

// The port that reports which programs the system delivers input to.

export interface DeliveryTracker {
  /**
   * Starts to track the input of this display and who gets it. Only one tracking runs at a time.
   * @throws ServiceError `unsupported`: this display does not report it; `unavailable`: it went away.
   */
  track(): Promise<DeliveryTracking>;
}

/** Tracking that runs; disposing it ends it. */
export interface DeliveryTracking extends AsyncDisposable {
  /** Ends it, and resolves when all input up to now is in it. */
  finish(): Promise<DeliveryStatus>;
}

/**
 * Who got the input that was tracked: presses, or releases where nothing was pressed, or motions
 * where there was nothing else.
 *
 * `nothing`: the system generated none. `none`: no program got any of it. `some`: programs got a
 * part of it. `unknown`: the system does not report it; `reason` is a sentence without a full stop.
 * `taken`: a program got it, or the last of it.
 */
export type DeliveryStatus =
  | { readonly status: "nothing" | "none" }
  | { readonly status: "some"; readonly taken: number; readonly sent: number }
  | { readonly status: "unknown"; readonly reason: string }
  | { readonly status: "taken"; readonly targetWindow: TargetWindow };

/** The window of a program that got input. */
export interface TargetWindow {
  /** The title of the window, where it has one. */
  readonly title: string | undefined;
  /** Asks the program whether it has handled everything that it was sent; at most one second. */
  ask(): Promise<TargetWindowAnswer>;
}

/**
 * `handled`: the program says so. `unresponsive`: it does not answer in time. `closed`: the window is no
 * longer there. `mute`: the program has no way to answer. `desktop`: there is no window; what manages
 * the desktop got it.
 */
export type TargetWindowAnswer = "handled" | "unresponsive" | "closed" | "mute" | "desktop";
