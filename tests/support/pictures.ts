/** Pictures as the tests of them compare and ask for them. */

import { expect } from "expect";
import { run } from "./desktop.ts";
import { type DecodedPng, decodePng } from "./png.ts";
import type { Service } from "./service.ts";

export interface Shot extends DecodedPng {
  readonly headers: Headers;
  readonly frame: string;
}

/** A picture that must come; as PNG. */
export async function shoot(service: Service, query = ""): Promise<Shot> {
  const response = await service.send(`/api/display/screenshot${query}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) {
    throw new Error(`${response.status} ${new TextDecoder().decode(bytes)}`);
  }
  expect(response.headers.get("content-type")).toBe("image/png");
  const { headers } = response;
  return { ...decodePng(bytes), headers, frame: headers.get("x-frame")! };
}

/** What ImageMagick's import sees: raw red, green and blue bytes. */
export function imported(display: string, crop: readonly string[] = []): Promise<Uint8Array> {
  const args = ["-display", display, "-silent", "-window", "root", ...crop];
  return run("import", [...args, "+repage", "-depth", "8", "rgb:-"]);
}

/** The greatest difference of two pictures; a deep comparison of a million numbers would take seconds. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Infinity;
  let greatest = 0;
  for (let i = 0; i < a.length; i++) greatest = Math.max(greatest, Math.abs(a[i]! - b[i]!));
  return greatest;
}

/** A part of a picture, cut out by hand. */
export function cut(
  { rgb, width }: DecodedPng,
  [x, y, w, h]: readonly [number, number, number, number],
): Uint8Array {
  const out = new Uint8Array(w * h * 3);
  for (let row = 0; row < h; row++) {
    const from = ((y + row) * width + x) * 3;
    out.set(rgb.subarray(from, from + w * 3), row * w * 3);
  }
  return out;
}
