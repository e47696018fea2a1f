/** The figures that the pages draw in a grid: circles, rectangles and triangles, letters and digits. */

import { setTimeout as wait } from "node:timers/promises";
import { type Hand, type Line, type PagePicture, type Point, type Task, textIn } from "./hand.ts";
import { type Box, colorNamed, pixelAt, type Rgb } from "./pixels.ts";

export type ShapeKind = "circle" | "rectangle" | "triangle";

export interface Figure {
  /** `glyph` is a letter or a digit. */
  readonly kind: ShapeKind | "glyph";
  readonly color: string;
  readonly isLarge: boolean;
  readonly middle: Point;
}

/** The colours of figures. */
const PALETTE = ["red", "green", "blue", "aqua", "black", "magenta", "yellow"] as const;

/** Where the pages have their grid. */
const [GRID_LEFT, GRID_TOP, CELL] = [2, 52, 20] as const;

/** Pixels along one side of a shape. */
export const SIZES = { small: 10, middle: 17, large: 20 } as const;

/** All figures in the first cells of the grid. @param sizes those that shapes may have */
export function findFigures(
  picture: PagePicture,
  { columns, rows, sizes }: {
    readonly columns: number;
    readonly rows: readonly [first: number, last: number];
    readonly sizes: readonly number[];
  },
): readonly Figure[] {
  const figures: Figure[] = [];
  for (let row = rows[0]; row <= rows[1]; row++) {
    for (let column = 0; column < columns; column++) {
      const middle = {
        x: GRID_LEFT + CELL * (column + 0.5),
        y: GRID_TOP + CELL * (row + 0.5),
      };
      const figure = readFigure(picture, middle, sizes);
      if (figure) figures.push(figure);
    }
  }
  return figures;
}

/** The figure around a point, if there is one. */
export function readFigure(
  picture: PagePicture,
  middle: Point,
  sizes: readonly number[],
): Figure | undefined {
  const cell = squareAround(middle, Math.max(CELL, ...sizes));
  // the figure above may reach into the first rows
  const own = { ...cell, top: cell.top + OVERHANG };
  const color = mainColor(picture, own);
  if (color === undefined) return undefined;
  const ink = inkOf(picture, cell, color);
  const shape = bestShape(picture, { middle, sizes, color });
  if (shape) return { ...shape, color, middle };
  return { kind: "glyph", color, isLarge: isLargeGlyph(ink), middle };
}

const OVERHANG = 2;
/** As much as a small `i`, the slightest figure, has in full pixels. */
const LEAST_INK = 3;

function squareAround({ x, y }: Point, size: number): Box {
  const half = size / 2;
  return { left: x - half, top: y - half, right: x + half, bottom: y + half };
}

/** The colour of all that is not white, also where its edges are blended with white. */
function mainColor(picture: PagePicture, box: Box): string | undefined {
  const sum = [0, 0, 0];
  eachPixel(picture, box, (rgb) => rgb.forEach((value, each) => sum[each]! += 255 - value));
  const length = Math.hypot(...sum);
  if (length < LEAST_INK * 255) return undefined;
  const likeness = (name: string) => {
    const lack = lackOf(colorNamed(name));
    return dot(lack, sum) / Math.hypot(...lack) / length;
  };
  return PALETTE.toSorted((one, other) => likeness(other) - likeness(one))[0];
}

/** What a colour lacks to be white. */
function lackOf(rgb: Rgb): readonly number[] {
  return rgb.map((value) => 255 - value);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}

function eachPixel(
  picture: PagePicture,
  { left, top, right, bottom }: Box,
  visit: (rgb: Rgb, x: number, y: number) => void,
): void {
  for (let y = Math.floor(top); y < bottom; y++) {
    for (let x = Math.floor(left); x < right; x++) visit(pixelAt(picture, x, y), x, y);
  }
}

/** How much of each pixel has a colour on white, from 0 to 1, row by row. */
function inkOf(picture: PagePicture, box: Box, color: string): readonly (readonly number[])[] {
  const lack = lackOf(colorNamed(color));
  const rows: number[][] = [];
  const top = Math.floor(box.top);
  eachPixel(picture, box, (rgb, _, y) => {
    const part = dot(lackOf(rgb), lack) / dot(lack, lack);
    (rows[y - top] ??= []).push(Math.min(1, Math.max(0, part)));
  });
  return rows;
}

/** Small glyphs are at most 9.5 pixels high, large ones at least 10.5; only few of these have little ink. */
function isLargeGlyph(ink: readonly (readonly number[])[]): boolean {
  const height = ink.reduce((sum, row) => sum + Math.max(...row), 0);
  const amount = ink.flat().reduce((sum, value) => sum + value, 0);
  return height > 10 || amount > 33;
}

// Shapes are told by comparing them with ideal ones.

const INSIDE: Readonly<Record<ShapeKind, (x: number, y: number) => boolean>> = {
  rectangle: () => true,
  circle: (x, y) => x * x + y * y <= 1,
  triangle: (x, y) => Math.abs(x) <= (y + 1) / 2,
};
const KINDS = Object.keys(INSIDE) as readonly ShapeKind[];

/** The part of the ideal shape that may differ. */
const MAX_DIFFERENCE = 0.2;

function bestShape(
  picture: PagePicture,
  { middle, sizes, color }: {
    readonly middle: Point;
    readonly sizes: readonly number[];
    readonly color: string;
  },
): Pick<Figure, "isLarge"> & { readonly kind: ShapeKind } | undefined {
  const candidates = sizes.flatMap((size) => {
    // with what is right around it: larger shapes contain smaller ones
    const ink = inkOf(
      picture,
      squareAround(middle, Math.min(size + 2, Math.max(size, CELL))),
      color,
    );
    return KINDS.map((kind) => ({ kind, size, difference: differ(ink, kind, size) }));
  });
  const [best] = candidates.toSorted((one, other) => one.difference - other.difference);
  if (best === undefined || best.difference > MAX_DIFFERENCE) return undefined;
  return { kind: best.kind, isLarge: best.size > SIZES.small };
}

function differ(ink: readonly (readonly number[])[], kind: ShapeKind, size: number): number {
  const half = ink.length / 2;
  let [difference, area] = [0, 0];
  ink.forEach((row, y) =>
    row.forEach((value, x) => {
      const ideal = coverage(kind, { x: x - half, y: y - half }, size / 2);
      difference += Math.abs(value - ideal);
      area += ideal;
    })
  );
  return difference / area;
}

/** How much of a pixel an ideal shape around (0, 0) covers. */
function coverage(kind: ShapeKind, { x, y }: Point, half: number): number {
  const parts = [0.125, 0.375, 0.625, 0.875];
  const covered = parts.flatMap((down) =>
    parts.filter((along) => {
      const [right, below] = [(x + along) / half, (y + down) / half];
      return Math.abs(right) <= 1 && Math.abs(below) <= 1 && INSIDE[kind](right, below);
    })
  );
  return covered.length / parts.length ** 2;
}

// What glyphs say.

/** The characters that the page draws as something to click, in its order. */
export function glyphsIn(lines: readonly Line[]): readonly Line[] {
  return beforeReward(lines).filter((line) =>
    line.ref !== undefined && !isInButton(line) && /^[A-Za-z0-9]$/.test(textIn(line).trim())
  );
}

function isInButton(line: Line): boolean {
  return line.role === "button" || line.parent !== undefined && isInButton(line.parent);
}

/** Without what stands beside the page: how many episodes it has rewarded. */
export function beforeReward(lines: readonly Line[]): readonly Line[] {
  const end = lines.findIndex(({ name }) => name.startsWith("Last reward"));
  return end < 0 ? lines : lines.slice(0, end);
}

/**
 * Which character each glyph is: the text of the page is selected one character after the other, and a
 * glyph looks different once it is selected.
 */
export async function readGlyphs(
  hand: Hand,
  task: Task,
  glyphs: readonly Figure[],
): Promise<ReadonlyMap<Figure, string>> {
  const characters = glyphsIn(await hand.lines()).map((line) => textIn(line).trim());
  const found = new Map<Figure, string>();
  await hand.click(FIRST_WORD, { times: 2 });
  const rest = task.text.length - task.text.split(" ")[0]!.length;
  await hand.key("shift+right", rest - 1);
  const before = await hand.picture();
  for (let press = 0; found.size < glyphs.length && press < 4 * glyphs.length + 8; press++) {
    await hand.key("shift+right");
    await wait(SELECT_MS);
    const now = await hand.picture();
    for (const glyph of glyphs) {
      if (found.has(glyph) || !hasChanged(before, now, glyph.middle)) continue;
      found.set(glyph, characters[found.size] ?? "");
    }
  }
  await hand.click(FIRST_WORD); // selects nothing
  return found;
}

/** A point of the first word of what the page asks for. */
const FIRST_WORD: Point = { x: 10, y: 9 };
/** Until the page shows what is selected. */
const SELECT_MS = 50;

function hasChanged(before: PagePicture, now: PagePicture, middle: Point): boolean {
  let changed = 0;
  eachPixel(before, squareAround(middle, 8), (rgb, x, y) => {
    const other = pixelAt(now, x, y);
    if (rgb.some((value, each) => Math.abs(value - other[each]!) > 20)) changed++;
  });
  return changed > 8;
}
