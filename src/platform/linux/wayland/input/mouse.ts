/** The mouse of a Wayland session: what each compositor needs for it are a few calls of its own. */

import { pause } from "../../../../core/deadline.ts";
import { missing } from "../../../capability.ts";
import type { Button, Mouse, Point } from "../../../types/mod.ts";

/** Each sends one event; the order is kept. */
export interface PointerCalls {
  /** @param pixel of the display's picture */
  move(pixel: Point): void;
  /** @param delayMs the pause between the event before it and this one, as programs see it */
  button(code: number, isDown: boolean, delayMs: number): void;
  /** Turns the wheel; positive is down and right. */
  turn(axis: Axis, notches: number): void;
}

interface WaylandMouseOptions {
  readonly calls: PointerCalls;
  /** Buttons that this service holds down: shared by all displays of a desktop. */
  readonly down: Set<Button>;
  position(): Promise<Point>;
}

export class WaylandMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = missing(
    "Cannot scroll by pixels: on Wayland each program converts the distance of a wheel to pixels in " +
      "its own way; scroll by `clicks` without `unit`",
  );
  /** The pause before the next press, in milliseconds. */
  #delayMs = 0;

  constructor(private readonly options: WaylandMouseOptions) {}

  move(to: Point): void {
    this.options.calls.move(to);
  }

  press(button: Button): void {
    const { calls, down } = this.options;
    calls.button(BUTTON_CODES[button], true, this.#delayMs);
    down.add(button);
    this.#delayMs = 0;
  }

  release(button: Button): void {
    const { calls, down } = this.options;
    down.delete(button);
    calls.button(BUTTON_CODES[button], false, 0);
  }

  separate(ms: number): void {
    this.#delayMs = ms;
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    const { calls } = this.options;
    if (up !== 0) calls.turn("vertical", -up);
    if (right !== 0) calls.turn("horizontal", right);
  }

  position(): Promise<Point> {
    return this.options.position();
  }
}

/** The axes of a wheel, as `wl_pointer.axis` and the buses number them. */
export const AXES = { vertical: 0, horizontal: 1 } as const;

export type Axis = keyof typeof AXES;

/** `linux/input-event-codes.h`; mice send SIDE and EXTRA for back and forward. */
export const BUTTON_CODES = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
} satisfies Record<Button, number>;

// Sends input in order. Most compositors stamp input with the time at which they read it, so a pause
// between two presses is made here: what comes after it waits.

interface Step {
  /** What comes before it; it never rejects. */
  readonly wait?: (() => Promise<void>) | undefined;
  readonly send: () => void;
}

export class InputQueue {
  readonly #waiting: Step[] = [];
  #idle: PromiseWithResolvers<void> | undefined;

  /** Sends at once, unless it or something before it has to wait. */
  add(send: () => void, delayMs = 0): void {
    if (this.#idle === undefined && delayMs === 0) return send();
    this.#add({ send, wait: delayMs === 0 ? undefined : () => pause(delayMs) });
  }

  /** What is added later waits until this resolves; it never rejects. */
  hold(wait: () => Promise<void>): void {
    this.#add({ send: () => {}, wait });
  }

  /** Resolves when everything that was added has been sent. */
  async sent(): Promise<void> {
    await this.#idle?.promise;
  }

  #add(step: Step): void {
    this.#waiting.push(step);
    if (this.#idle !== undefined) return;
    this.#idle = Promise.withResolvers();
    this.#next();
  }

  #next(): void {
    for (let step = this.#waiting.shift(); step !== undefined; step = this.#waiting.shift()) {
      const { wait, send } = step;
      if (wait !== undefined) {
        this.#waiting.unshift({ send });
        wait().then(() => this.#next());
        return;
      }
      send();
    }
    this.#idle!.resolve();
    this.#idle = undefined;
  }
}
