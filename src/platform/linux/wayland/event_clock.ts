/** Time stamps for input that this service makes: of the clock that compositors use for devices. */

import { CLOCK_MONOTONIC, openClockLibrary, TIMESPEC } from "../../../../ffi/linux/clock.ts";

export class EventClock {
  /** What to add to `performance.now()`. */
  readonly #offset: number;
  #last = 0;

  constructor() {
    this.#offset = readMonotonic() - performance.now();
  }

  /** The time stamp of the next event, in milliseconds; never before the last one. */
  next(): number {
    return this.#last = Math.max(this.#last, Math.floor(this.#offset + performance.now()));
  }

  /** The time stamp of the next event, at least `ms` after the last one. */
  after(ms: number): number {
    const earliest = this.#last + ms;
    return this.#last = Math.max(this.next(), earliest);
  }
}

function readMonotonic(): number {
  const timespec = new Uint8Array(TIMESPEC.bytes);
  openClockLibrary().clock_gettime(CLOCK_MONOTONIC, timespec);
  const view = new DataView(timespec.buffer);
  return Number(view.getBigInt64(TIMESPEC.seconds, true)) * 1e3 +
    Number(view.getBigInt64(TIMESPEC.nanoseconds, true)) / 1e6;
}
