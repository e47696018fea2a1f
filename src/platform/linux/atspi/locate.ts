/** Where single elements show, for which the elements around them are asked, too. */

import type { Point, Region } from "../../../core/geometry.ts";
import type { Asking } from "./asking.ts";
import type { Budget } from "./budget.ts";
import type { Address } from "./client.ts";
import { fetchExtents } from "./details.ts";
import { listAncestors } from "./ancestors.ts";
import type { KnownWindow } from "./jobs.ts";
import { fetchNode } from "./node.ts";
import { addShift, NO_SHIFT, shiftInside, shiftOfWindow } from "./shift.ts";
import type { Toolkit } from "./toolkit.ts";
import { matchWindows } from "./windows.ts";

export interface LocateOptions extends Pick<Asking, "client" | "listWindows"> {
  readonly budget: Budget;
  readonly toolkit: Toolkit;
}

/** How far an element shows from where its program says. */
export async function findShift(address: Address, options: LocateOptions): Promise<Point> {
  const { client, toolkit, budget } = options;
  if (!toolkit.isGtk4 && !toolkit.isLibreOffice) return NO_SHIFT;
  const path = (await listAncestors(client, address)).reverse();
  const [top] = path;
  if (top === undefined) return NO_SHIFT;
  const extents = await Promise.all(path.map((each) => fetchExtents(each, { client, budget })));
  const first = shiftOfWindow(extents[0], toolkit, await findWindowOf(top, options));
  return path.reduce((shift: Point, _, index) => {
    const parent: Region | undefined = extents[index - 1];
    return addShift(shift, shiftInside(extents[index], toolkit, parent));
  }, first);
}

async function findWindowOf(
  top: Address,
  { client, budget, toolkit, listWindows }: LocateOptions,
): Promise<KnownWindow | undefined> {
  if (!toolkit.isGtk4) return undefined;
  const [windows, pid, node] = await Promise.all([
    listWindows(),
    client.findProcess(top.bus),
    fetchNode(client, top, budget.remaining()),
  ]);
  const own = windows?.filter((each) => each.pid === null || each.pid === pid) ?? [];
  return matchWindows([node], own).get(node);
}
