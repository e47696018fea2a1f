/** The pointer, through `org_kde_kwin_fake_input`. */

import { available } from "../../../open_port.ts";
import type { Button, Mouse, PixelWheel, Point, Port } from "../../../types/mod.ts";
import type { WaylandObject } from "../protocols/types.ts";
import type { InputQueue } from "../input/input_queue.ts";

/** `linux/input-event-codes.h`; mice send SIDE and EXTRA for back and forward. */
const BUTTON_CODES = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
} satisfies Record<Button, number>;
const PRESSED = 1;
const RELEASED = 0;
/** Axes of `wl_pointer`; positive is down and right. */
const AXIS = { vertical: 0, horizontal: 1 } as const;
/**
 * What programs take for one notch where an event carries no notches, and KWin's fake input carries
 * none.
 */
const UNITS_PER_NOTCH = 10;
/** The distance in pixels that Chromium scrolls for one notch. */
const PIXELS_PER_NOTCH = 120;

export interface KdeMouseOptions {
  readonly device: WaylandObject<"org_kde_kwin_fake_input">;
  readonly queue: InputQueue;
  /** A pixel of the display in the compositor's coordinates. */
  toLogical(pixel: Point): Point;
  position(): Promise<Point>;
}

export class KdeMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels: Port<PixelWheel> = available({
    scroll: ({ up, right }: { readonly up: number; readonly right: number }) =>
      this.#turn({ up: up / PIXELS_PER_NOTCH, right: right / PIXELS_PER_NOTCH }),
  });
  readonly #down = new Set<Button>();
  /** The pause before the next press, in milliseconds. */
  #delayMs = 0;

  constructor(private readonly options: KdeMouseOptions) {}

  move(to: Point): void {
    const { device, queue, toLogical } = this.options;
    const { x, y } = toLogical(to);
    queue.add(() => device.send("pointer_motion_absolute", x, y));
  }

  press(button: Button): void {
    const { device, queue } = this.options;
    this.#down.add(button);
    queue.add(() => device.send("button", BUTTON_CODES[button], PRESSED), this.#delayMs);
    this.#delayMs = 0;
  }

  release(button: Button): void {
    const { device, queue } = this.options;
    this.#down.delete(button);
    queue.add(() => device.send("button", BUTTON_CODES[button], RELEASED));
  }

  separate(ms: number): void {
    this.#delayMs = ms;
  }

  scroll(notches: { readonly up: number; readonly right: number }): void {
    this.#turn(notches);
  }

  position(): Promise<Point> {
    return this.options.position();
  }

  /** Releases every button that this program holds down: KWin does not tell of others. */
  releaseAll(): void {
    for (const button of [...this.#down]) this.release(button);
  }

  #turn({ up, right }: { readonly up: number; readonly right: number }): void {
    const { device, queue } = this.options;
    if (up !== 0) queue.add(() => device.send("axis", AXIS.vertical, -up * UNITS_PER_NOTCH));
    if (right !== 0) queue.add(() => device.send("axis", AXIS.horizontal, right * UNITS_PER_NOTCH));
  }
}
