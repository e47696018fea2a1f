/** Where single elements show, for which the elements around them are asked, too. */

import type { Point, Region } from "../../../core/geometry.ts";
import type { Asking } from "./asking.ts";
import type { Budget } from "./budget.ts";
import type { Address } from "./client.ts";
import { fetchExtents } from "./details.ts";
import { listAncestors } from "./ancestors.ts";
import type { KnownWindow } from "./jobs.ts";
import { keyOf } from "./node.ts";
import { fetchFrames } from "./programs.ts";
import { addShift, NO_SHIFT, shiftInside, shiftOfWindow } from "./shift.ts";
import type { Toolkit } from "./toolkit.ts";
import { matchWindows, windowsOf } from "./windows.ts";

export interface LocateOptions extends Pick<Asking, "client" | "origin" | "listWindows"> {
  readonly budget: Budget;
  readonly toolkit: Toolkit;
}

/** How far an element shows from where its program says; `undefined` where that is not known. */
export async function findShift(
  address: Address,
  options: LocateOptions,
): Promise<Point | undefined> {
  const { client, toolkit, budget, origin } = options;
  if (origin === "display" && !toolkit.isGtk4 && !toolkit.isLibreOffice) return NO_SHIFT;
  const path = (await listAncestors(client, address)).reverse();
  const [top] = path;
  if (top === undefined) return undefined;
  const extents = await Promise.all(path.map((each) => fetchExtents(each, { client, budget })));
  const window = await findWindowOf(top, options);
  const first = shiftOfWindow({ extents: extents[0], window }, options);
  if (first === undefined) return undefined;
  return path.reduce((shift: Point, _, index) => {
    const parent: Region | undefined = extents[index - 1];
    return addShift(shift, shiftInside(extents[index], toolkit, parent));
  }, first);
}

async function findWindowOf(
  top: Address,
  { client, budget, toolkit, origin, listWindows }: LocateOptions,
): Promise<KnownWindow | undefined> {
  if (origin === "display" && !toolkit.isGtk4) return undefined;
  const [windows, pid, frames] = await Promise.all([
    listWindows(),
    client.findProcess(top.bus),
    fetchFrames(client, top.bus, budget.remaining()),
  ]);
  const node = frames.find((each) => keyOf(each) === keyOf(top));
  return node && matchWindows(frames, windowsOf(pid, windows)).get(node);
}
