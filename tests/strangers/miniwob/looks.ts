/** What pictures of pages consist of, and waiting for it. */

import { setTimeout as wait } from "node:timers/promises";
import type { Hand, PagePicture, Point } from "./hand.ts";
import { type Box, boxAround, type Color, colorAt, pixelsOf } from "./regions.ts";

/** How long a page may take to show what follows, in milliseconds. */
const SHOW_MS = 15_000;
const AGAIN_MS = 50;

/** Looks at the page until it shows what is wanted. @throws Error when it does not come */
export async function waitToSee<Found>(
  hand: Hand,
  what: string,
  find: (picture: PagePicture) => Found | undefined,
): Promise<Found> {
  for (const end = performance.now() + SHOW_MS;; await wait(AGAIN_MS)) {
    const found = find(await hand.picture());
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`The page does not look like ${what}`);
  }
}

/** Rows that have fitting pixels only; those that touch are one. */
export function findRules(
  picture: PagePicture,
  within: Box,
  fits: (color: Color) => boolean,
): readonly Box[] {
  const rules: Box[] = [];
  for (let top = within.top; top < within.bottom; top++) {
    const row = { ...within, top, bottom: top + 1 };
    if (![...pixelsOf(row)].every((point) => fits(colorAt(picture, point)))) continue;
    const last = rules.at(-1);
    if (last?.bottom === top) rules[rules.length - 1] = { ...last, bottom: top + 1 };
    else rules.push(row);
  }
  return rules;
}

/** What stands side by side, with at least `gap` columns between that have no fitting pixel. */
export function findSideBySide(
  picture: PagePicture,
  within: Box,
  fits: (color: Color) => boolean,
  gap: number,
): readonly Box[] {
  const groups: Point[][] = [];
  let last = -Infinity;
  for (let x = within.left; x < within.right; x++) {
    const column = [...pixelsOf({ ...within, left: x, right: x + 1 })]
      .filter((point) => fits(colorAt(picture, point)));
    if (column.length === 0) continue;
    if (x - last > gap) groups.push([]);
    groups.at(-1)!.push(...column);
    last = x;
  }
  return groups.flatMap((points) => boxAround(points) ?? []);
}
