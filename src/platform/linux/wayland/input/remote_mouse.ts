/**
 * A mouse by the calls of a remote desktop session: Mutter's and the desktop portal's differ in their
 * names alone.
 */

import { missing } from "../../../open_port.ts";
import type { Button, Mouse, Point } from "../../../types/mod.ts";

/** Each sends one event; the order is kept. */
interface PointerCalls {
  /** @param pixel of the display's picture */
  move(pixel: Point): void;
  button(code: number, isDown: boolean): void;
  /** Turns the wheel; positive is down and right. */
  turn(axis: "vertical" | "horizontal", notches: number): void;
}

interface RemoteMouseOptions {
  readonly calls: PointerCalls;
  /** Shared by all that must stay in one order. */
  readonly queue: InputQueue;
  /** Buttons that this service holds down: shared by all displays of a desktop. */
  readonly down: Set<Button>;
  position(): Promise<Point>;
}

export class RemoteMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = NO_PIXELS;
  /** The pause before the next press, in milliseconds. */
  #delayMs = 0;

  constructor(private readonly options: RemoteMouseOptions) {}

  move(to: Point): void {
    const { calls, queue } = this.options;
    queue.add(() => calls.move(to));
  }

  press(button: Button): void {
    const { calls, queue, down } = this.options;
    queue.add(() => calls.button(BUTTON_CODES[button], true), this.#delayMs);
    down.add(button);
    this.#delayMs = 0;
  }

  release(button: Button): void {
    const { calls, queue, down } = this.options;
    down.delete(button);
    queue.add(() => calls.button(BUTTON_CODES[button], false));
  }

  separate(ms: number): void {
    this.#delayMs = ms;
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    const { calls, queue } = this.options;
    if (up !== 0) queue.add(() => calls.turn("vertical", -up));
    if (right !== 0) queue.add(() => calls.turn("horizontal", right));
  }

  position(): Promise<Point> {
    return this.options.position();
  }

  /** Releases every button that this service holds down: the compositor does not tell of others. */
  releaseAll(): void {
    for (const button of [...this.options.down]) this.release(button);
  }
}

// What the mice of all Wayland compositors have in common.

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

// Sends input in order. compositors stamp input with the time at which they read it, so a pause between two
// presses is made here: what comes after it waits.

interface Step {
  readonly delayMs: number;
  readonly send: () => void;
}

export class InputQueue {
  readonly #waiting: Step[] = [];
  #idle: PromiseWithResolvers<void> | undefined;

  /** Sends at once, unless it or something before it has to wait. */
  add(send: () => void, delayMs = 0): void {
    if (this.#idle === undefined && delayMs === 0) return send();
    this.#waiting.push({ send, delayMs });
    if (this.#idle !== undefined) return;
    this.#idle = Promise.withResolvers();
    this.#next();
  }

  /** Resolves when everything that was added has been sent. */
  async sent(): Promise<void> {
    await this.#idle?.promise;
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#waiting[0]!.delayMs === 0) {
      this.#waiting.shift()!.send();
    }
    const [first] = this.#waiting;
    if (first !== undefined) {
      this.#waiting[0] = { ...first, delayMs: 0 };
      setTimeout(() => this.#next(), first.delayMs);
      return;
    }
    this.#idle!.resolve();
    this.#idle = undefined;
  }
}
