/** The mouse through xdotool. */

import { ServiceError } from "../../../core/errors.ts";
import type { Button, Mouse, PixelWheel, Point, Port } from "../../types/mod.ts";
import type { CommandQueue } from "./queue.ts";

/** X button numbers; 4 to 7 are the wheel. */
const BUTTONS = {
  left: "1",
  middle: "2",
  right: "3",
  back: "8",
  forward: "9",
} satisfies Readonly<Record<Button, string>>;

export class XdotoolMouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels: Port<PixelWheel> = {
    ready: false,
    reason:
      "Cannot scroll by pixels: xdotool turns the wheel by whole notches; scroll by `clicks` without `unit`",
  };
  constructor(private readonly queue: CommandQueue) {}

  /**
   * Never with `--sync`: it waits for a motion event that does not come when the cursor is already
   * there.
   */
  move({ x, y }: Point): void {
    this.queue.add("mousemove", String(x), String(y));
  }

  press(button: Button): void {
    this.queue.add("mousedown", BUTTONS[button]);
  }

  release(button: Button): void {
    this.queue.add("mouseup", BUTTONS[button]);
  }

  separate(ms: number): void {
    this.queue.add("sleep", String(ms / 1000));
  }

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    this.#turn(up > 0 ? "4" : "5", Math.abs(up));
    this.#turn(right > 0 ? "7" : "6", Math.abs(right));
  }

  async position(): Promise<Point> {
    const printed = await this.queue.run({ args: ["getmouselocation", "--shell"] });
    const x = printed.match(/^X=(-?\d+)$/m)?.[1];
    const y = printed.match(/^Y=(-?\d+)$/m)?.[1];
    if (x === undefined || y === undefined) {
      throw new ServiceError("unavailable", "xdotool does not say where the cursor is: try again");
    }
    return { x: Number(x), y: Number(y) };
  }

  releaseAll(): void {
    for (const button of Object.values(BUTTONS)) this.queue.add("mouseup", button);
  }

  #turn(button: string, notches: number): void {
    if (notches === 0) return;
    this.queue.add("click", "--repeat", String(notches), "--delay", "0", button);
  }
}
