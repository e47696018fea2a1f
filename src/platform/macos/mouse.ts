/** The mouse of one display: converts its pixels to points, whose coordinates span all displays. */

import type { Button, Mouse, PixelWheel, Point, Port } from "../types/mod.ts";
import type { Placement } from "./placement.ts";
import type { StepQueue } from "./queue.ts";

export class MacosMouse implements Mouse {
  /** The event script paces the notches itself. */
  readonly notchesAtOnce = Number.POSITIVE_INFINITY;
  readonly pixels: Port<PixelWheel> = {
    ready: true,
    use: { scroll: ({ up, right }) => this.queue.add({ kind: "wheel", up, right, unit: "pixel" }) },
  };

  /** @param placement returns the current placement of the display */
  constructor(private readonly queue: StepQueue, private readonly placement: () => Placement) {}

  /** On a Retina display one point covers several pixels; cliclick accepts whole points only. */
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

  /** Needs no pause: cliclick itself sets the click count of each press. */
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
