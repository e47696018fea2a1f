/** Draws labelled boxes into a picture, so that its reader can name what it shows. */

import type { Region, Size } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

export interface Box extends Region {
  /** Digits and the letter `e`; anything else leaves a gap. */
  readonly label: string;
}

/** What the picture shows: coordinates of boxes are those of the screen. */
export interface ShownRegion {
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

/** Three columns and five rows each, as octal digits of rows. */
const GLYPHS: Readonly<Record<string, string>> = {
  ...{ "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711" },
  ...{ "5": "74717", "6": "74757", "7": "71244", "8": "75757", "9": "75717", "e": "07747" },
};
const GLYPH = { width: 3, height: 5 };
/** Pixels of the picture for each of a glyph. */
const ZOOM = 2;
const PADDING = 2;

/** A copy of the picture, with the boxes drawn. */
export function drawBoxes(picture: Picture, boxes: readonly Box[], shown: ShownRegion): Picture {
  const canvas = { ...picture, pixels: picture.pixels.slice() };
  const placed = boxes.map((box) => ({ ...toPicture(box, shown), label: box.label }));
  for (const [index, box] of placed.entries()) drawEdges(canvas, box, colourOf(index));
  // after all edges, which would make them unreadable
  for (const [index, box] of placed.entries()) drawLabel(canvas, box, colourOf(index));
  return canvas;
}

function colourOf(index: number): number {
  return COLOURS[index % COLOURS.length]!;
}

function toPicture(box: Region, { region, size, window }: ShownRegion): Region {
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

/** Only what lies in the picture. */
function fill({ pixels, width, height }: Picture, area: Region, colour: number): void {
  const left = Math.max(0, area.x);
  const right = Math.min(width, area.x + area.width);
  const bottom = Math.min(height, area.y + area.height);
  if (left >= right) return;
  for (let y = Math.max(0, area.y); y < bottom; y++) {
    pixels.fill(colour, y * width + left, y * width + right);
  }
}
