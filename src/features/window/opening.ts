/** Windows that are being opened: window managers list them before they show them and give them the keyboard. */

import type { Window } from "../../platform/types/mod.ts";

/** Time that a new window gets to be shown, in milliseconds; one of another desktop never is. */
const OPENING_MS = 500;
/** Time that a window that shows gets to have the keyboard; another one can keep that. */
const KEYBOARD_MS = 2_000;

type OpeningWindow = Pick<Window, "id" | "states" | "isSplash">;

export class Opening {
  readonly #since = new Map<string, number>();

  /** How long a window that does not show may still take, in milliseconds; 0 for one that shows. */
  restMs(window: OpeningWindow): number {
    return isHidden(window) ? this.#restOf(`${window.id} hidden`, OPENING_MS) : 0;
  }

  /** The same of one that has not the keyboard yet. */
  restWithoutKeyboardMs(window: OpeningWindow): number {
    return isHidden(window)
      ? this.restMs(window)
      : this.#restOf(`${window.id} without`, KEYBOARD_MS);
  }

  #restOf(what: string, ms: number): number {
    const now = performance.now();
    const since = this.#since.get(what) ?? now;
    this.#since.set(what, since);
    return Math.max(0, since + ms - now);
  }
}

/** Puts first those that have the keyboard, then those that show, and last those of a program that starts. */
export function readyFirst<W extends OpeningWindow>(windows: readonly W[]): readonly W[] {
  return windows.toSorted((one, other) => rank(one) - rank(other));
}

export function isActive({ states }: OpeningWindow): boolean {
  return states.includes("active");
}

export function isHidden({ states }: OpeningWindow): boolean {
  return states.includes("hidden");
}

function rank(window: OpeningWindow): number {
  if (window.isSplash) return 3;
  if (isHidden(window)) return 2;
  return isActive(window) ? 0 : 1;
}
