/** What is drawn on a page: its pixels, and the regions of a colour. */

import type { PagePicture, Point } from "./hand.ts";

export type Rgb = readonly [red: number, green: number, blue: number];

/** `right` and `bottom` are outside of it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels that touch each other, also at their corners. */
export interface Region {
  readonly box: Box;
  /** The number of its pixels. */
  readonly area: number;
  /** Its centre of gravity. */
  readonly middle: Point;
}

/** Whether a pixel is of the wanted colour. */
export type Wanted = (rgb: Rgb) => boolean;

/** What the pages say what to do in, and what is below it. */
export const QUERY: Box = { left: 0, top: 0, right: 160, bottom: 50 };
export const AREA: Box = { left: 0, top: 50, right: 160, bottom: 210 };

/** The names of colours in the pages. */
export const COLORS: Readonly<Record<string, Rgb>> = {
  aqua: [0, 255, 255],
  black: [0, 0, 0],
  blue: [0, 0, 255],
  cyan: [0, 255, 255],
  gold: [255, 215, 0],
  gray: [128, 128, 128],
  green: [0, 128, 0],
  grey: [128, 128, 128],
  lime: [0, 255, 0],
  magenta: [255, 0, 255],
  maroon: [128, 0, 0],
  navy: [0, 0, 128],
  olive: [128, 128, 0],
  orange: [255, 165, 0],
  pink: [255, 192, 203],
  purple: [128, 0, 128],
  red: [255, 0, 0],
  silver: [192, 192, 192],
  teal: [0, 128, 128],
  white: [255, 255, 255],
  yellow: [255, 255, 0],
};

/** @throws Error when the pages have no such colour */
export function colorNamed(name: string): Rgb {
  const color = COLORS[name.toLowerCase()];
  if (color === undefined) throw new Error(`No colour is named ${name}`);
  return color;
}

export function toHex(rgb: Rgb): string {
  return rgb.map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** Outside of the picture it is white. */
export function pixelAt({ width, height, rgb }: PagePicture, x: number, y: number): Rgb {
  if (x < 0 || y < 0 || x >= width || y >= height) return [255, 255, 255];
  const at = 3 * (Math.floor(y) * width + Math.floor(x));
  return [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
}

/** Allows for rounding alone, or for more. */
export function near([red, green, blue]: Rgb, tolerance = 8): Wanted {
  return ([r, g, b]) =>
    Math.abs(r - red) <= tolerance &&
    Math.abs(g - green) <= tolerance &&
    Math.abs(b - blue) <= tolerance;
}

export const isDark: Wanted = (rgb) => Math.max(...rgb) < 110;

export const isWhite: Wanted = near([255, 255, 255], 4);

/** Whatever is not white, also the edges of what is drawn. */
export const isDrawn: Wanted = (rgb) => !isWhite(rgb);

/** All regions of a colour, from the top to the bottom. */
export function findRegions(
  picture: PagePicture,
  isWanted: Wanted,
  within: Box = AREA,
): readonly Region[] {
  const { left, top, right, bottom } = within;
  const width = right - left;
  const isOpen = new Uint8Array(width * (bottom - top));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (isWanted(pixelAt(picture, x, y))) isOpen[(y - top) * width + x - left] = 1;
    }
  }
  const regions: Region[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (isOpen[(y - top) * width + x - left] === 1) {
        regions.push(collect({ x, y }, within, isOpen));
      }
    }
  }
  return regions;
}

/** Takes the region around a pixel out of those that are open. */
function collect(start: Point, { left, top, right, bottom }: Box, isOpen: Uint8Array): Region {
  const take = (x: number, y: number): boolean => {
    if (x < left || y < top || x >= right || y >= bottom) return false;
    const at = (y - top) * (right - left) + x - left;
    if (isOpen[at] === 0) return false;
    isOpen[at] = 0;
    return true;
  };
  const pixels = [start];
  take(start.x, start.y);
  for (const { x, y } of pixels) {
    for (let down = -1; down <= 1; down++) {
      for (let along = -1; along <= 1; along++) {
        if (take(x + along, y + down)) pixels.push({ x: x + along, y: y + down });
      }
    }
  }
  return regionOf(pixels);
}

function regionOf(pixels: readonly Point[]): Region {
  const [xs, ys] = [pixels.map(({ x }) => x), pixels.map(({ y }) => y)];
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length + 0.5;
  return {
    box: {
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs) + 1,
      bottom: Math.max(...ys) + 1,
    },
    area: pixels.length,
    middle: { x: mean(xs), y: mean(ys) },
  };
}

/** The region with the most pixels. @throws Error when there is none */
export function largestRegion(
  picture: PagePicture,
  isWanted: Wanted,
  within: Box = AREA,
): Region {
  const regions = findRegions(picture, isWanted, within).toSorted((one, other) =>
    other.area - one.area
  );
  if (regions[0] === undefined) throw new Error("Nothing of this colour is on the page");
  return regions[0];
}

/** What all regions of a colour together take up. @throws Error when there is none */
export function boxAround(regions: readonly Region[]): Box {
  if (regions.length === 0) throw new Error("Nothing of this colour is on the page");
  return {
    left: Math.min(...regions.map(({ box }) => box.left)),
    top: Math.min(...regions.map(({ box }) => box.top)),
    right: Math.max(...regions.map(({ box }) => box.right)),
    bottom: Math.max(...regions.map(({ box }) => box.bottom)),
  };
}

export function middleOf({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

export function widthOf({ left, right }: Box): number {
  return right - left;
}

export function heightOf({ top, bottom }: Box): number {
  return bottom - top;
}

/** The nearest whole pixels: mice know no others. */
export function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** 5 by 5 pixels without their corners, around the middle. */
const CORE: readonly (readonly [along: number, down: number])[] = [-2, -1, 0, 1, 2].flatMap((
  down,
) => [-2, -1, 0, 1, 2].map((along) => [along, down] as const)).filter(([along, down]) =>
  Math.abs(along) + Math.abs(down) < 4
);

/** The middles of the filled discs of at least 6 pixels; thin lines that meet there are no part of them. */
export function findDiscs(
  picture: PagePicture,
  isWanted: Wanted,
  within: Box = AREA,
): readonly Point[] {
  const isFilled = (x: number, y: number) =>
    CORE.every(([along, down]) => isWanted(pixelAt(picture, x + along, y + down)));
  const { width, height } = picture;
  const cores = new Uint8Array(3 * width * height).fill(255);
  for (let y = within.top; y < within.bottom; y++) {
    for (let x = within.left; x < within.right; x++) {
      if (isFilled(x, y)) cores.fill(0, 3 * (y * width + x), 3 * (y * width + x) + 3);
    }
  }
  return findRegions({ width, height, rgb: cores }, isDark, within).map(({ middle }) => middle);
}
