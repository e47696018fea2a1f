/** The last presses of this service: toolkits count the next one with them, and keys that follow wait for them. */

import type { Button, Mouse, Point } from "../../platform/types/mod.ts";

/** The longest double-click time that a toolkit uses by default (Windows, Tk, Chromium: 500 ms), and a little for the clocks. */
const DOUBLE_CLICK_MS = 510;
/** GTK 3, and with it Firefox, counts three presses within twice the double-click time as a triple click. */
const TRIPLE_CLICK_MS = 2 * DOUBLE_CLICK_MS;
/** Clicks that are further apart than this do not count as one double click. */
const DOUBLE_CLICK_DISTANCE = 8;
/** Time between the presses of one click operation. */
const PRESS_GAP_MS = 10;
/** The unit of the time stamps of most systems: presses within one may share theirs. */
const TIME_STAMP_MS = 1;

/** Where something is pressed, and by what. */
export interface Press {
  readonly button: Button;
  readonly displayNum: number;
  /** Where, if the request said where. */
  readonly at: Point | undefined;
}

/** The last click that the service made. */
export interface LastClick extends Press {
  /** Presses up to this one that may count as one double or triple click. */
  readonly count: number;
  /** `performance.now()` of its last press, as far as the display has told. */
  time: number;
  /** Whether the display has told that it was made. */
  confirmation: "none" | "awaited" | "done";
  /** Whether the cursor may go elsewhere: no window manager holds the click back. */
  delivered: boolean;
  /** Whether keys may follow: the click has been delivered, and the focus is where it put it. */
  settled: boolean;
}

export class ClickHistory {
  #last: LastClick | undefined;
  /** Where the cursor is, as long as nobody else moves it. */
  #cursor: Point | undefined;

  get last(): LastClick | undefined {
    return this.#last;
  }

  /** Remembers `times` presses that have just been sent. */
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

  /** Remembers where the cursor has been sent; nothing: somewhere. */
  noteMove(to: Point | undefined): void {
    this.#cursor = to;
  }

  /** The last click, if the cursor leaves its place for this one and it may not have been delivered. */
  leftBehind(to: Point): LastClick | undefined {
    const isThere = this.#cursor?.x === to.x && this.#cursor.y === to.y;
    return isThere ? undefined : this.undelivered;
  }

  get undelivered(): LastClick | undefined {
    return this.#last?.delivered === false ? this.#last : undefined;
  }

  /** Nothing waits for the last click any more. */
  settle(): void {
    if (this.#last) this.#last.settled = this.#last.delivered = true;
  }

  /**
   * How long a press here must still wait, so that it begins a click of its own for every toolkit; in
   * milliseconds. GTK gives up counting a click that begins too soon after one elsewhere.
   */
  remainingWait(press: Press): number {
    const last = this.#last;
    if (last?.button !== press.button || last.displayNum !== press.displayNum) return 0;
    const counts = isNear(last, press) ? countsFor(last) : DOUBLE_CLICK_MS;
    if (last.confirmation !== "done") return counts;
    return Math.max(0, last.time + counts - performance.now());
  }

  /**
   * Keeps the time stamps of presses apart: a program takes two presses with the same one for the same, and
   * Chromium does so wherever they are. Single clicks at different places need no care.
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

  /** The last click, if a toolkit may count it and this press as one. */
  #countedWith(press: Press): LastClick | undefined {
    const last = this.#last;
    if (last?.button !== press.button || last.displayNum !== press.displayNum) return undefined;
    if (!isNear(last, press)) return undefined;
    const isOld = last.confirmation === "done" &&
      performance.now() - last.time >= countsFor(last);
    return isOld ? undefined : last;
  }
}

/** How long a click may count together with the next one, in milliseconds. */
function countsFor({ count }: LastClick): number {
  return count > 1 ? TRIPLE_CLICK_MS : DOUBLE_CLICK_MS;
}

function isNear({ at: a }: Press, { at: b }: Press): boolean {
  return !a || !b || Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= DOUBLE_CLICK_DISTANCE;
}
