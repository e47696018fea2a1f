/** Where single elements show, for which the elements around them are asked, too. */

import type { Point } from "../../../core/geometry.ts";
import type { Asking } from "./asking.ts";
import type { Budget } from "./budget.ts";
import type { Address } from "./client.ts";
import { fetchExtents } from "./details.ts";
import { listAncestors } from "./ancestors.ts";
import type { KnownPopup, KnownWindow } from "./jobs.ts";
import { fetchChildren, fetchNode, keyOf, type Node } from "./node.ts";
import { findFilled, popupsOf } from "./popups.ts";
import { fetchFrames } from "./programs.ts";
import { addShift, NO_SHIFT, shiftInside, shiftOfWindow } from "./shift.ts";
import type { Toolkit } from "./toolkit.ts";
import { matchWindows, windowsOf } from "./windows.ts";

export interface LocateOptions
  extends Pick<Asking, "client" | "origin" | "listWindows" | "listPopups"> {
  readonly budget: Budget;
  readonly toolkit: Toolkit;
}

export interface Location {
  /** How far the element shows from where its program says. */
  readonly shift: Point;
  /** The popup in which it shows, and the object that fills that. */
  readonly within?: { readonly popup: KnownPopup; readonly filledBy: Address };
}

/** Where an element shows; `undefined` where that is not known. */
export async function locate(
  address: Address,
  options: LocateOptions,
): Promise<Location | undefined> {
  const { client, toolkit, budget, origin } = options;
  const [pid, listed] = await Promise.all([
    client.findProcess(address.bus),
    options.listPopups(),
  ]);
  const popups = popupsOf(pid, listed);
  const isTold = origin === "display" && !toolkit.isGtk4 && !toolkit.isLibreOffice;
  if (isTold && popups.length === 0) return { shift: NO_SHIFT };
  const known = (await listAncestors(client, address)).reverse();
  const path = toolkit.isLibreOffice ? await joinTree(known, options) : known;
  const [top] = path;
  if (top === undefined) return isTold ? { shift: NO_SHIFT } : undefined;
  const extents = await Promise.all(path.map((each) => fetchExtents(each, { client, budget })));
  const window = await findWindowOf(top, options);
  let shift = shiftOfWindow({ extents: extents[0], window }, options);
  let within: Location["within"];
  for (const [index, each] of path.entries()) {
    const parent = extents[index - 1];
    shift = shift && addShift(shift, shiftInside(extents[index], toolkit, parent));
    const filled = findFilled({ extents: extents[index], parent, shift }, { toolkit, popups });
    if (filled === undefined) continue;
    shift = filled.shift;
    within = { popup: filled.popup, filledBy: each };
  }
  return shift && { shift, ...(within && { within }) };
}

/** Levels of GTK around what LibreOffice draws by itself, and the children of each that are looked at. */
const AROUND = { levels: 4, children: 20 };

/**
 * LibreOffice names a window of its own as the parent of what it draws, which is in no list: the way
 * down from the windows that are leads there too, past the menu bar that moves it.
 */
async function joinTree(
  path: readonly Address[],
  { client, budget }: LocateOptions,
): Promise<readonly Address[]> {
  const [top, inside] = path;
  if (top === undefined || inside === undefined) return path;
  const frames = await fetchFrames(client, top.bus, budget);
  if (frames.some((each) => keyOf(each) === keyOf(top))) return path;
  let level = frames.map((node) => [node]);
  for (let depth = 0; depth < AROUND.levels && level.length > 0; depth++) {
    const next: Node[][] = [];
    for (const around of level) {
      const asked = fetchChildren(client, around.at(-1)!, { max: AROUND.children, budget });
      for (const child of await budget.attempt(asked) ?? []) {
        if (keyOf(child) === keyOf(inside)) return [...around, ...path.slice(1)];
        const node = await budget.attempt(fetchNode(client, child, budget.remaining()));
        if (node) next.push([...around, node]);
      }
    }
    level = next;
  }
  return path;
}

async function findWindowOf(
  top: Address,
  { client, budget, toolkit, origin, listWindows }: LocateOptions,
): Promise<KnownWindow | undefined> {
  if (origin === "display" && !toolkit.isGtk4) return undefined;
  const [windows, pid, frames] = await Promise.all([
    listWindows(),
    client.findProcess(top.bus),
    fetchFrames(client, top.bus, budget),
  ]);
  const node = frames.find((each) => keyOf(each) === keyOf(top));
  return node && matchWindows(frames, windowsOf(pid, windows)).get(node);
}
