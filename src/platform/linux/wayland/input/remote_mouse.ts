/**
 * A mouse by the calls of a remote desktop session: Mutter's and the desktop portal's differ in their
 * names alone.
 */

import type { Button, Mouse, Point } from "../../../types/mod.ts";
import type { InputQueue } from "./input_queue.ts";
import { BUTTON_CODES, NO_PIXELS } from "./pointer_codes.ts";

/** Each sends one event; the order is kept. */
export interface PointerCalls {
  /** @param pixel of the display's picture */
  move(pixel: Point): void;
  button(code: number, isDown: boolean): void;
  /** Turns the wheel; positive is down and right. */
  turn(axis: "vertical" | "horizontal", notches: number): void;
}

export interface RemoteMouseOptions {
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
