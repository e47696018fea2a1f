/** Windows that are being opened: window managers list them before they show them. */

import type { Window } from "../../platform/types/mod.ts";

/** Time that a new window gets to be shown, in milliseconds; one of another desktop never is. */
const OPENING_MS = 500;

export class Opening {
  #since: number | undefined;

  /** How long a window that does not show may still take, in milliseconds; 0 for one that shows. */
  restMs(window: Pick<Window, "states">): number {
    if (!isHidden(window)) return 0;
    this.#since ??= performance.now();
    return Math.max(0, OPENING_MS - (performance.now() - this.#since));
  }
}

/** Puts those that show before those that do not. */
export function shownFirst<W extends Pick<Window, "states">>(windows: readonly W[]): readonly W[] {
  return windows.toSorted((one, other) => Number(isHidden(one)) - Number(isHidden(other)));
}

function isHidden({ states }: Pick<Window, "states">): boolean {
  return states.includes("hidden");
}
