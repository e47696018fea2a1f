/** Fields that several of the tools share, with the names that models are trained on. */

import { z } from "zod";
import { DisplayNumber } from "../features/fields.ts";

/** Models also write fractions. */
const Pixel = z.number().min(0).max(100_000);

export const Coordinate = z.array(Pixel).min(2).max(2)
  .describe("[x, y] in pixels of the picture that `screenshot` returns.");

export const RegionCorners = z.array(Pixel).min(4).max(4)
  .describe("[x0, y0, x1, y1]: two corners, in pixels of the picture that `screenshot` returns.");

export const Modifiers = z.string().max(256).optional()
  .describe("Keys held down meanwhile, joined by +: `shift`, `ctrl+alt`.");

export const Display = DisplayNumber.describe("The display; 1 where it is left out.");

/** The key names of `ctrl+alt`. */
export function splitModifiers(text: string | undefined): string[] {
  return (text ?? "").split("+").map((name) => name.trim()).filter((name) => name !== "");
}
