/** Takes a test picture of a screen, and measures how long that takes. */

import type { Size } from "../../core/geometry.ts";
import { openEncoder } from "../../imaging/encode.ts";
import type { Screen } from "../types/mod.ts";
import { note, ok, type Verdict } from "./verdict.ts";

/** The first picture also pays for memory and compilation. */
const PICTURES = 3;

/** @throws the error of the screen */
export async function takeTestPicture(screen: Screen, size: Size): Promise<Verdict> {
  const encode = await openEncoder("png", 80);
  const region = { x: 0, y: 0, ...size };
  let captured = Infinity;
  let encoded = Infinity;
  let bytes = 0;
  for (let count = 0; count < PICTURES; count++) {
    const start = performance.now();
    await screen.capture(region, { cursor: "hidden" }, (picture) => {
      const taken = performance.now();
      bytes = encode(picture).length;
      captured = Math.min(captured, taken - start);
      encoded = Math.min(encoded, performance.now() - taken);
    });
  }
  const text = `${size.width}x${size.height} captured in ${ms(captured)}, ` +
    `a PNG of ${Math.ceil(bytes / 1_024)} KiB in ${ms(encoded)} more`;
  const { reading } = screen;
  if (reading?.way !== "socket") return ok(reading ? `${text}, through shared memory` : text);
  return note(`${text}, through the socket, which is slower: ${reading.reason}`);
}

function ms(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}
