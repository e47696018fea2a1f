/** Where a drag begins and ends, as points or as elements that refs name. */

import { ServiceError } from "../../core/errors.ts";
import type { Point } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { RefTarget, Revealed } from "../targets/refs.ts";
import { findOneDisplay, type Named } from "../targets/one_display.ts";
import { checkMouse, type InTurn, type PlaceInput, reveal } from "../targets/send_at.ts";

/** Either both coordinates or `ref` are present. */
export interface DragPlaces extends PlaceInput {
  /** The picture that the points refer to. */
  readonly frame?: string | undefined;
  readonly from?: Point | { readonly ref: string } | undefined;
}

/** The ends of a drag, before its turn. */
export interface DragEnds {
  readonly displayNum: number;
  readonly to: Point | RefTarget;
  /** At the cursor without it. */
  readonly from: Point | RefTarget | undefined;
}

/** They are in pixels of the display. */
export interface DragPoints {
  readonly to: Point;
  readonly from: Point | undefined;
}

/**
 * @throws ServiceError `conflict` for an unknown ref; ValueFault for elements on different displays.
 */
export function findDragEnds(context: Context, places: DragPlaces): DragEnds {
  const { x = 0, y = 0, ref, from, frame, display_num } = places;
  const elements: Named[] = [];
  const find = (ref: string, field: readonly string[]) => {
    const target = context.session.refs.get(ref);
    elements.push({ target, field });
    return target;
  };
  const to = ref === undefined ? { x, y } : find(ref, ["ref"]);
  const start = from !== undefined && "ref" in from ? find(from.ref, ["from", "ref"]) : from;
  const displayNum = findOneDisplay(elements, {
    displayNum: display_num,
    isFixed: frame !== undefined,
  });
  return { displayNum, to, from: start };
}

/** Most times that both ends are scrolled into view, one after the other. */
const MAX_ROUNDS = 3;

/**
 * Reveals the ends that are elements. Scrolling one into view can move the other one away, so the
 * other one is looked at again until nothing was scrolled.
 * @throws ServiceError `conflict` when they do not show at the same time
 */
export async function revealDragEnds(ends: DragEnds, inTurn: InTurn): Promise<DragPoints> {
  const points = await findPoints(ends, inTurn);
  const { from } = ends;
  if (from !== undefined && isElement(from)) await checkMouse(from, points.from!, inTurn);
  return points;
}

async function findPoints({ from, to }: DragEnds, inTurn: InTurn): Promise<DragPoints> {
  const start = from !== undefined && isElement(from) ? await reveal(from, inTurn) : undefined;
  if (!isElement(to)) return { from: start?.middle ?? from as Point | undefined, to };
  const end = await reveal(to, inTurn);
  if (from === undefined || !isElement(from)) return { from, to: end.middle };
  return await revealBoth([to, end], from, inTurn);
}

/** The first element has just been revealed. */
async function revealBoth(
  [to, end]: readonly [RefTarget, Revealed],
  from: RefTarget,
  inTurn: InTurn,
): Promise<DragPoints> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const start = await reveal(from, inTurn);
    if (!start.scrolled) return { from: start.middle, to: end.middle };
    end = await reveal(to, inTurn);
    if (!end.scrolled) return { from: start.middle, to: end.middle };
  }
  throw new ServiceError(
    "conflict",
    `Cannot drag the ${from.description} to the ${to.description}: they do not show at the same time`,
  );
}

function isElement(end: Point | RefTarget): end is RefTarget {
  return "reveal" in end;
}
