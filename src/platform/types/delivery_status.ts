/** The port that reports which programs the system delivers input to. */

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
