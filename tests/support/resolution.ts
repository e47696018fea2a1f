/** Changes the resolution of an Xvfb, as a user does with RANDR. */

import { run } from "./desktop.ts";

/** @param size at most what the server was started with: `640x480` */
export async function setResolution(display: string, size: string): Promise<void> {
  const [width, height] = size.split("x").map(Number) as [number, number];
  const name = `mode-${crypto.randomUUID().slice(0, 8)}`;
  const across = [width, width + 16, width + 32, width + 48];
  const down = [height, height + 1, height + 2, height + 3];
  const xrandr = (...args: (string | number)[]) =>
    run("xrandr", ["-display", display, ...args.map(String)]);
  await xrandr("--newmode", name, 25, ...across, ...down);
  await xrandr("--addmode", "screen", name);
  await xrandr("--output", "screen", "--mode", name);
}
