/** The mouse of one display: its pixels are turned into the points of all displays together. */

import type { Button, Mouse, PixelWheel, Point, Port } from "../types/mod.ts";
import type { Placement } from "./placement.ts";
import type { StepQueue } from "./queue.ts";

export class MacosMouse implements Mouse {
  /** The script that posts the events keeps a pace of its own. */
  readonly notchesAtOnce = Number.POSITIVE_INFINITY;
  readonly pixels: Port<PixelWheel> = {
    ready: true,
    use: { scroll: ({ up, right }) => this.queue.add({ kind: "wheel", up, right, unit: "pixel" }) },
  };

  /** @param placement where the display is now */
  constructor(private readonly queue: StepQueue, private readonly placement: () => Placement) {}

  /** A point of a Retina display is a square of pixels; cliclick knows no part of it. */
  move({ x, y }: Point): void {
    const { x: left, y: top, scale } = this.placement();
    const to = { x: left + Math.floor(x / scale), y: top + Math.floor(y / scale) };
    this.queue.add({ kind: "move", to });
  }

  press(button: Button): void {
    this.queue.add({ kind: "button", button, down: true });
  }

  release(button: Button): void {
    this.queue.add({ kind: "button", button, down: false });
  }

  /** cliclick says itself of each press which one of a double click it is. */
  separate(_ms: number): void {}

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    if (up !== 0 || right !== 0) this.queue.add({ kind: "wheel", up, right });
  }

  async position(): Promise<Point> {
    const at = await this.queue.position();
    const { x, y, scale } = this.placement();
    return { x: (at.x - x) * scale, y: (at.y - y) * scale };
  }
}
