/** Copies a part of a frame, in the pixel format of all pictures. */

import type { Region } from "../../types/mod.ts";
import { type FramePixels, swapRedAndBlue } from "./frame.ts";

/** The region must be inside the frame, whose buffer must be held. */
export function copyPixels(frame: FramePixels, region: Region): Uint32Array<ArrayBuffer> {
  const { x, y, width, height } = region;
  const { stride } = frame;
  const pixels = new Uint32Array(width * height);
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(frame.address)!);
  if (stride === width * 4) view.copyInto(pixels, y * stride);
  else {
    for (let row = 0; row < height; row++) {
      view.copyInto(pixels.subarray(row * width, (row + 1) * width), (y + row) * stride + x * 4);
    }
  }
  if (frame.order.startsWith("RGB")) swapRedAndBlue(pixels);
  return pixels;
}
