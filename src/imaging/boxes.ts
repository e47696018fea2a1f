/** Draws labelled boxes into a picture, so that its reader can name what it shows. */

import type { Point, Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

export interface Box extends Region {
  /** Digits and the letter `e`; anything else leaves a gap. */
  readonly label: string;
}

/** What the picture shows: coordinates of boxes are those of the screen. */
interface PictureRegion {
  /** On the screen. */
  readonly region: Region;
  /** The size of the whole region in pixels of the picture. */
  readonly size: Size;
  /** The part of it that the picture has. */
  readonly window: Region;
}

/** Dark enough for white digits. */
const COLOURS = [0xc62828, 0x1565c0, 0x2e7d32, 0x6a1b9a, 0xad5100, 0x00695c, 0xad1457, 0x4527a0];
const INK = 0xffffff;
const BLACK = 0;

/** Three columns and five rows each, as octal digits of rows. */
const GLYPHS: Readonly<Record<string, string>> = {
  "0": "75557",
  "1": "26227",
  "2": "71747",
  "3": "71717",
  "4": "55711",
  "5": "74717",
  "6": "74757",
  "7": "71244",
  "8": "75757",
  "9": "75717",
  "e": "07747",
};
const GLYPH = { width: 3, height: 5 };
/** Pixels of the picture for each of a glyph. */
const ZOOM = 2;
const PADDING = 2;

/** A copy of the picture, with the boxes drawn. */
export function drawBoxes(picture: Picture, boxes: readonly Box[], part: PictureRegion): Picture {
  const canvas = { ...picture, pixels: picture.pixels.slice() };
  const placed = boxes.map((box) => ({ ...toPicture(box, part), label: box.label }));
  for (const [index, box] of placed.entries()) drawEdges(canvas, box, colourOf(index));
  // after all edges, which would make them unreadable
  for (const [index, box] of placed.entries()) drawLabel(canvas, box, colourOf(index));
  return canvas;
}

function colourOf(index: number): number {
  return COLOURS[index % COLOURS.length]!;
}

function toPicture(box: Region, { region, size, window }: PictureRegion): Region {
  const left = Math.round((box.x - region.x) * size.width / region.width);
  const top = Math.round((box.y - region.y) * size.height / region.height);
  const width = Math.max(1, Math.round(box.width * size.width / region.width));
  const height = Math.max(1, Math.round(box.height * size.height / region.height));
  return { x: left - window.x, y: top - window.y, width, height };
}

function drawEdges(canvas: Picture, { x, y, width, height }: Region, colour: number): void {
  fill(canvas, { x, y, width, height: 1 }, colour);
  fill(canvas, { x, y: y + height - 1, width, height: 1 }, colour);
  fill(canvas, { x, y, width: 1, height }, colour);
  fill(canvas, { x: x + width - 1, y, width: 1, height }, colour);
}

function drawLabel(canvas: Picture, box: Box, colour: number): void {
  const step = (GLYPH.width + 1) * ZOOM;
  const width = box.label.length * step - ZOOM + 2 * PADDING;
  const height = GLYPH.height * ZOOM + 2 * PADDING;
  // at the upper left corner, within the picture
  const x = Math.max(0, Math.min(canvas.width - width, box.x));
  const y = Math.max(0, Math.min(canvas.height - height, box.y));
  fill(canvas, { x, y, width, height }, colour);
  for (const [index, letter] of [...box.label].entries()) {
    drawGlyph(canvas, letter, { x: x + PADDING + index * step, y: y + PADDING });
  }
}

function drawGlyph(canvas: Picture, letter: string, at: { x: number; y: number }): void {
  for (const [row, bits] of [...GLYPHS[letter] ?? ""].entries()) {
    for (let column = 0; column < GLYPH.width; column++) {
      if ((Number(bits) >> (GLYPH.width - 1 - column) & 1) === 0) continue;
      const dot = { x: at.x + column * ZOOM, y: at.y + row * ZOOM, width: ZOOM, height: ZOOM };
      fill(canvas, dot, INK);
    }
  }
}

/** Gives an area one colour, as far as it lies in the picture. */
export function fill({ pixels, width, height }: Picture, area: Region, colour: number): void {
  const left = Math.max(0, area.x);
  const right = Math.min(width, area.x + area.width);
  const bottom = Math.min(height, area.y + area.height);
  if (left >= right) return;
  for (let y = Math.max(0, area.y); y < bottom; y++) {
    pixels.fill(colour, y * width + left, y * width + right);
  }
}

// Arithmetic on regions: intersection, difference, and joining of regions that touch.

/** The smallest region that contains all of these; requires at least one. */
export function boxAround(areas: readonly Region[]): Region {
  const x = Math.min(...areas.map((area) => area.x));
  const y = Math.min(...areas.map((area) => area.y));
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** `undefined` if they do not overlap. */
export function overlap(a: Region, b: Region): Region | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** The smallest region of whole units, of `scale` pixels each, that covers a region of pixels. */
export function wholeUnits({ x, y, width, height }: Region, scale: number): Region {
  const [left, top] = [Math.floor(x / scale), Math.floor(y / scale)];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) / scale) - left,
    height: Math.ceil((y + height) / scale) - top,
  };
}

/** Points need not be whole. */
export function hasPoint({ x, y, width, height }: Region, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

export function contains(outer: Region, inner: Region): boolean {
  return outer.x <= inner.x && inner.x + inner.width <= outer.x + outer.width &&
    outer.y <= inner.y && inner.y + inner.height <= outer.y + outer.height;
}

/** The parts of an area that remain when holes are cut out of it. */
export function without(area: Region, holes: readonly Region[]): Region[] {
  return holes.reduce((parts, hole) => parts.flatMap((part) => cut(part, hole)), [area]);
}

function cut(area: Region, hole: Region): Region[] {
  const common = overlap(area, hole);
  if (common === undefined) return [area];
  const { x, y, width, height } = common;
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const parts = [
    { ...area, height: y - area.y },
    { ...area, y: y + height, height: bottom - y - height },
    { x: area.x, y, width: x - area.x, height },
    { x: x + width, y, width: right - x - width, height },
  ];
  return parts.filter((part) => part.width > 0 && part.height > 0);
}

/** Joins areas that touch: one line of text is reported as many areas. */
export function joinAreas(areas: readonly Region[]): Region[] {
  const groups: Region[] = [];
  for (const area of areas) {
    let box = area;
    for (let i = groups.findIndex((group) => touch(group, box)); i >= 0;) {
      box = boxAround([box, ...groups.splice(i, 1)]);
      i = groups.findIndex((group) => touch(group, box));
    }
    groups.push(box);
  }
  return groups;
}

function touch(a: Region, b: Region): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width &&
    a.y <= b.y + b.height && b.y <= a.y + a.height;
}

/**
 * The bounding box of all pixels that differ in the area, except those in the holes; its position is
 * counted as that of the area.
 * @param before what the area showed: the pixels from its left edge on, by row
 */
export function changedBox(
  now: Picture,
  before: (row: number) => Uint32Array,
  { area, holes = [] }: { readonly area: Region; readonly holes?: readonly Region[] },
): Region | undefined {
  let left = now.width, right = -1, top = -1, bottom = -1;
  for (let row = 0, at = 0; row < now.height; row++) {
    const old = before(row);
    for (let column = 0; column < now.width; column++, at++) {
      if (((now.pixels[at]! ^ old[column]!) & 0xffffff) === 0) continue;
      const hole = holes.length === 0 ? undefined : findHole(holes, area.x + column, area.y + row);
      if (hole !== undefined) { // continues at its last column
        const skipped = Math.min(hole.x + hole.width - area.x, now.width) - column - 1;
        [column, at] = [column + skipped, at + skipped];
        continue;
      }
      if (column < left) left = column;
      if (column > right) right = column;
      if (top < 0) top = row;
      bottom = row;
    }
  }
  if (top < 0) return undefined;
  const size = { width: right - left + 1, height: bottom - top + 1 };
  return { x: area.x + left, y: area.y + top, ...size };
}

function findHole(holes: readonly Region[], x: number, y: number): Region | undefined {
  return holes.find((hole) =>
    x >= hole.x && x < hole.x + hole.width && y >= hole.y && y < hole.y + hole.height
  );
}

/** A copy in which the masks are black: a picture can lie in memory that others read. */
export function blackened(picture: Picture, area: Region, masks: readonly Region[]): Picture {
  const covered = masks.flatMap((mask) => overlap(mask, area) ?? []);
  if (covered.length === 0) return picture;
  const canvas = { ...picture, pixels: picture.pixels.slice() };
  for (const mask of covered) {
    fill(canvas, { ...mask, x: mask.x - area.x, y: mask.y - area.y }, BLACK);
  }
  return canvas;
}
