/** Menus, panels and hints that are windows by themselves, and the objects of programs that fill them. */

import type { Point, Region } from "../../../core/geometry.ts";
import type { KnownPopup } from "./jobs.ts";
import { difference, isSamePlace, isSameSize, moved } from "./shift.ts";
import type { Toolkit } from "./toolkit.ts";

export interface Filling {
  /** As its program says them. */
  readonly extents: Region | undefined;
  /** Those of the object around it. */
  readonly parent: Region | undefined;
  /** How far it shows from there, as a part of what is around it. */
  readonly shift: Point | undefined;
}

export interface Filled {
  readonly popup: KnownPopup;
  /** How far it, and what is inside it, shows from where its program says. */
  readonly shift: Point;
}

/** Those of a process. */
export function popupsOf(
  pid: number | undefined,
  popups: readonly KnownPopup[] | null,
): readonly KnownPopup[] {
  return popups?.filter((each) => each.pid !== null && each.pid === pid) ?? [];
}

/** The popup that an object fills; never a guess between two. */
export function findFilled(
  { extents, parent, shift }: Filling,
  { toolkit, popups }: { readonly toolkit: Toolkit; readonly popups: readonly KnownPopup[] },
): Filled | undefined {
  if (extents === undefined || popups.length === 0) return undefined;
  const place = shift && moved(extents, shift);
  const there = place && popups.find(({ bounds }) => isSamePlace(bounds, place));
  if (shift && there) return { popup: there, shift };
  // GTK 4 says that a popover begins where the element does to which it belongs
  const isThere = toolkit.isGtk4 && parent?.x === extents.x && parent.y === extents.y;
  const [popup, ...others] = popups.filter(({ bounds }) => isThere && isSameSize(bounds, extents));
  if (popup === undefined || others.length > 0) return undefined;
  return { popup, shift: difference(popup.bounds, extents) };
}
