/** What only the looks of a page tell: icons without names, and kinds of fields and folders. */

import type { Hand, PagePicture, Point } from "./hand.ts";
import {
  AREA,
  type Box,
  boxAround,
  findRegions,
  heightOf,
  isWhite,
  middleOf,
  near,
  pixelAt,
  QUERY,
  type Region,
  type Rgb,
  rounded,
  type Wanted,
  widthOf,
} from "./pixels.ts";
import { pixelsOf } from "./regions.ts";

/** How many pixels of a box have a colour. */
export function countIn(picture: PagePicture, box: Box, isWanted: Wanted): number {
  return [...pixelsOf(box)].filter(({ x, y }) => isWanted(pixelAt(picture, x, y))).length;
}

/** What pages show of a task, without what is beside it: pictures of that alone take less time. */
export const TASK = { x: 0, y: 0, width: 160, height: 210 } as const;
/** How long a page may take to show what is to be looked at, in milliseconds. */
const SHOW_MS = 15_000;

/** Looks at the page until it shows what is wanted. @throws Error when it does not come */
export async function look<Seen>(
  hand: Hand,
  what: string,
  find: (picture: PagePicture) => Seen | undefined,
): Promise<Seen> {
  for (const end = performance.now() + SHOW_MS;;) {
    const seen = find(await hand.picture(TASK));
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`The page does not show ${what}`);
  }
}

/** Fields of several lines are higher than those of one. */
const HIGH = 24;

/** Clicks a field of one line, or of several. */
export async function clickField(hand: Hand, kind: "text" | "textarea"): Promise<void> {
  const picture = await hand.picture();
  const fields = findRegions(picture, (rgb) => !isWhite(rgb))
    .filter((region) => isField(picture, region));
  const field = fields.find(({ box }) => (heightOf(box) >= HIGH) === (kind === "textarea"));
  if (!field) throw new Error(`No field of the kind ${kind}`);
  await hand.click(rounded(middleOf(field.box)));
}

/** Whether it is a wide frame that is white inside. */
function isField(picture: PagePicture, { box }: Region): boolean {
  return widthOf(box) > 90 && heightOf(box) > 15 &&
    isWhite(pixelAt(picture, box.right - 4, box.top + 4));
}

/** Clicks where the page shows the same icon as in its task. */
export async function clickSameIcon(hand: Hand): Promise<void> {
  const picture = await hand.picture();
  const icon = iconInTask(picture);
  let best = { x: 0, y: 0, alike: -1 };
  const { left, top, right, bottom } = AREA;
  const corners = { left, top, right: right - icon.width, bottom: bottom - icon.height };
  for (const { x, y } of pixelsOf(corners)) {
    const alike = icon.pixels.filter(({ along, down, isPart }) =>
      isGrey(pixelAt(picture, x + along, y + down)) === isPart
    ).length;
    if (alike > best.alike) {
      best = { x, y, alike };
    }
  }
  await hand.click(rounded({ x: best.x + icon.width / 2, y: best.y + icon.height / 2 }));
}

/** Pixels along the side of an icon. */
const ICON = 16;
/** The grey of an icon on what is nearly white. */
const isGrey: Wanted = (rgb) => Math.max(...rgb) < 140;
/** The grey of an icon is bluer than black letters on yellow. */
const isBluer: Wanted = ([, , blue]) => blue > 40;

/** With the pixels around it, so that nothing larger looks like it. */
function iconInTask(picture: PagePicture) {
  // a browser's shadow may lie on the edge of the page
  const parts = findRegions(picture, isBluer, QUERY).filter(({ box }) => widthOf(box) <= ICON);
  const box = boxAround(parts);
  const [left, top, right, bottom] = [box.left - 1, box.top - 1, box.right + 1, box.bottom + 1];
  const pixels = [...pixelsOf({ left, top, right, bottom })].map(({ x, y }) => ({
    along: x - left,
    down: y - top,
    isPart: isBluer(pixelAt(picture, x, y)),
  }));
  return { width: right - left, height: bottom - top, pixels };
}

const FOLDER_COLORS: readonly Rgb[] = [
  ...[[0xff, 0xd2, 0x83], [0xff, 0xe2, 0x9e], [0xe0, 0xba, 0x78], [0xc3, 0x87, 0x34]] as const,
  ...[[0x9f, 0x68, 0x24], [0x97, 0x5a, 0x1f]] as const,
];
/** Open folders have more of it. */
const isBrown = near([0xad, 0x73, 0x2d], 3);
const MAX_BROWN = 14;

/** Where closed folders of a tree are, from top to bottom. */
export function findClosedFolders(picture: PagePicture): readonly Point[] {
  const isPart: Wanted = (rgb) => isBrown(rgb) || FOLDER_COLORS.some((each) => near(each, 3)(rgb));
  return findRegions(picture, isPart)
    .filter(({ area, box }) => area > 40 && countIn(picture, box, isBrown) < MAX_BROWN)
    .map(({ middle }) => rounded(middle));
}
