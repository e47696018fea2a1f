/**
 * The last presses of this service: toolkits may count clicks together with the next one, and later
 * keys wait for clicks and combinations of keys.
 */

import type { Button, Mouse, Point } from "../../platform/types/mod.ts";

/**
 * The longest default double-click time of any toolkit (Windows, Tk, Chromium: 500 ms), plus a
 * margin for clock differences.
 */
const DOUBLE_CLICK_MS = 510;
/**
 * GTK 3, and thus Firefox, counts three presses within twice the double-click time as a triple
 * click.
 */
const TRIPLE_CLICK_MS = 2 * DOUBLE_CLICK_MS;
/** Clicks farther apart than this, in pixels, do not form a double click. */
const DOUBLE_CLICK_DISTANCE = 8;
/** Time between the presses of one click operation, in milliseconds. */
const PRESS_GAP_MS = 10;
/**
 * Resolution of time stamps on most systems: presses within one unit may get the same time stamp.
 */
const TIME_STAMP_MS = 1;

/** The position and the button of a press. */
export interface Press {
  readonly button: Button;
  readonly displayNum: number;
  /** The point, if the request gave one. */
  readonly at: Point | undefined;
}

/** The last click of the service. */
export interface LastClick extends Press {
  /**
   * The number of presses, including this one, that may count together as a double or triple click.
   */
  readonly count: number;
  /** `performance.now()` of its last press; updated when the display confirms it. */
  time: number;
  /** Whether the display has confirmed the click. */
  confirmation: "none" | "awaited" | "done";
  /** Whether the cursor may leave: no window manager holds the click back. */
  delivered: boolean;
  /** Whether keys may follow: the click has been delivered, and the focus has followed it. */
  settled: boolean;
}

/** When something was done last. */
class Moment {
  #time = -Infinity;

  /** How long ago it was, in milliseconds. */
  get age(): number {
    return performance.now() - this.#time;
  }

  note(): void {
    this.#time = performance.now();
  }

  /** What follows need not wait for it. */
  forget(): void {
    this.#time = -Infinity;
  }
}

export class ClickHistory {
  #last: LastClick | undefined;
  /** Get the position of the cursor, unless a person or another program moves it. */
  #cursor: Point | undefined;
  /** The last combination of keys, which later keys may still overtake. */
  readonly combination = new Moment();
  /** The end of the last text, which a combination or a click may still overtake. */
  readonly text = new Moment();

  get last(): LastClick | undefined {
    return this.#last;
  }

  /** Records `times` presses that have just been sent. */
  note(press: Press, times: number): void {
    const before = this.#countedWith(press);
    this.#last = {
      ...press,
      count: (before?.count ?? 0) + times,
      time: performance.now(),
      confirmation: "none",
      delivered: false,
      settled: false,
    };
    this.#cursor = press.at;
  }

  /**
   * Records that a button which was held down has gone up. What was known of its click was known of
   * the press; whether a window manager holds it back can be seen from now on.
   */
  noteRelease(button: Button): void {
    if (this.#last?.button === button) this.#last.settled = this.#last.delivered = false;
  }

  /** Records the point to which the cursor was sent; `undefined` if it is unknown. */
  noteMove(to: Point | undefined): void {
    this.#cursor = to;
  }

  /**
   * The last click, if the cursor leaves its point for this one before the click is known to be
   * delivered.
   */
  leftBehind(to: Point): LastClick | undefined {
    const isThere = this.#cursor?.x === to.x && this.#cursor.y === to.y;
    return isThere ? undefined : this.undelivered;
  }

  get undelivered(): LastClick | undefined {
    return this.#last?.delivered === false ? this.#last : undefined;
  }

  /** Marks the last click as settled, so that nothing waits for it. */
  settle(): void {
    if (this.#last) this.#last.settled = this.#last.delivered = true;
  }

  /**
   * How long a press here must still wait to start a new click in every toolkit, in milliseconds.
   * GTK stops counting a click that begins too soon after one elsewhere.
   */
  remainingWait(press: Press): number {
    const last = this.#last;
    if (last?.button !== press.button || last.displayNum !== press.displayNum) return 0;
    const counts = isNear(last, press) ? countsFor(last) : DOUBLE_CLICK_MS;
    if (last.confirmation !== "done") return counts;
    return Math.max(0, last.time + counts - performance.now());
  }

  /**
   * Gives presses distinct time stamps. Programs treat two presses with the same time stamp as one;
   * Chromium does so at any distance. Single clicks at different points need no delay.
   */
  separate(
    mouse: Mouse,
    press: Press,
    { index = 0, times = 1 }: { readonly index?: number; readonly times?: number } = {},
  ): void {
    if (index > 0) return mouse.separate(PRESS_GAP_MS);
    const last = this.#last;
    if (last === undefined) return;
    if (times === 1 && last.count === 1 && this.#countedWith(press) === undefined) return;
    const apart = last.confirmation === "done" && performance.now() - last.time >= TIME_STAMP_MS;
    if (!apart) mouse.separate(TIME_STAMP_MS);
  }

  /** The last click, if a toolkit may count it together with this press. */
  #countedWith(press: Press): LastClick | undefined {
    const last = this.#last;
    if (last?.button !== press.button || last.displayNum !== press.displayNum) return undefined;
    if (!isNear(last, press)) return undefined;
    const isOld = last.confirmation === "done" &&
      performance.now() - last.time >= countsFor(last);
    return isOld ? undefined : last;
  }
}

/** How long the next click may count together with this one, in milliseconds. */
function countsFor({ count }: LastClick): number {
  return count > 1 ? TRIPLE_CLICK_MS : DOUBLE_CLICK_MS;
}

function isNear({ at: a }: Press, { at: b }: Press): boolean {
  return !a || !b || Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= DOUBLE_CLICK_DISTANCE;
}
