/** Fields that several of the tools share, with the names that models are trained on. */

import { z } from "zod";
import { DisplayNumber } from "../features/fields.ts";

/** Models also write fractions. */
const Pixel = z.number().min(0).max(100_000);

export const Coordinate = z.array(Pixel).min(2).max(2)
  .describe("[x, y] in pixels of the picture that `screenshot` returns.");

export const RegionCorners = z.array(Pixel).min(4).max(4)
  .describe("[x0, y0, x1, y1]: two corners, in pixels of the picture that `screenshot` returns.");

const MAX_REF = 64;

/** An element in place of a coordinate. */
export const Ref = z.string().min(1).max(MAX_REF).optional()
  .describe("In place of coordinates: the ref of an element from a snapshot, such as `e12`.");

/**
 * Refuses an element beside the coordinate that it stands for.
 * @param needed whether one of them must be given
 */
export function checkEither(
  coordinate: string,
  ref: string,
  { needed }: { readonly needed: boolean },
) {
  return (fields: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => {
    const [hasPoint, hasRef] = [fields[coordinate] !== undefined, fields[ref] !== undefined];
    if (hasPoint && hasRef) {
      const message = `Give either ${ref} or ${coordinate}, not both`;
      context.addIssue({ code: "custom", path: [ref], message });
    }
    if (!needed || hasPoint || hasRef) return;
    const path = [coordinate];
    context.addIssue({ code: "invalid_type", expected: "array", input: undefined, path });
  };
}

export const Modifiers = z.string().max(256).optional()
  .describe("Keys held down meanwhile, joined by +: `shift`, `ctrl+alt`.");

export const Display = DisplayNumber.describe("The display; 1 where it is left out.");

/** The key names of `ctrl+alt`. */
export function splitModifiers(text: string | undefined): string[] {
  return (text ?? "").split("+").map((name) => name.trim()).filter((name) => name !== "");
}
