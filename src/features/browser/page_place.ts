/** The place on a page that an operation names: an element, or a point. */

import { ValueFault } from "../../core/errors.ts";
import type { PointerTarget } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { findPageElement } from "./use_browser.ts";

export interface PlaceInput {
  readonly ref?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** @throws ValueFault when there is neither or both */
export function readPlace(context: Context, { ref, x, y }: PlaceInput): PointerTarget {
  if (ref !== undefined) {
    if (x !== undefined || y !== undefined) {
      throw new ValueFault("ref", "Give either ref or x and y");
    }
    return { element: findPageElement(context, ref) };
  }
  if (x === undefined) throw new ValueFault("x", "Give ref, or x and y");
  if (y === undefined) throw new ValueFault("y", "y is needed too where x is given");
  return { point: { x, y } };
}
