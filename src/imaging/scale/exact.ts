/** Area averaging with integers: each mean is rounded once. */

import type { Picture } from "../picture.ts";
import type { Axes, Shares } from "./shares.ts";

export function scaleExactly(picture: Picture, { columns, rows, offset, total }: Axes): Picture {
  const width = columns.starts.length - 1;
  const height = rows.starts.length - 1;
  const sums = new Float64Array(picture.width * 3);
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    sums.fill(0);
    for (let share = rows.starts[row]!; share < rows.starts[row + 1]!; share++) {
      addRow(sums, picture, rows.indexes[share]! - offset.y, rows.weights[share]!);
    }
    const line = pixels.subarray(row * width, (row + 1) * width);
    mixColumns(sums, line, { columns, offset: offset.x, total });
  }
  return { width, height, pixels };
}

function addRow(sums: Float64Array, picture: Picture, row: number, weight: number): void {
  const { pixels, width } = picture;
  let at = row * width;
  for (let to = 0; to < width * 3; to += 3) {
    const pixel = pixels[at++]!;
    sums[to] = sums[to]! + (pixel >>> 16 & 255) * weight;
    sums[to + 1] = sums[to + 1]! + (pixel >>> 8 & 255) * weight;
    sums[to + 2] = sums[to + 2]! + (pixel & 255) * weight;
  }
}

function mixColumns(
  sums: Float64Array,
  line: Uint32Array,
  { columns, offset, total }: { columns: Shares; offset: number; total: number },
): void {
  const { starts, indexes, weights } = columns;
  const half = 0.5 + 1e-9; // rounds halves up, despite the imprecision of the division
  for (let column = 0; column < line.length; column++) {
    let red = 0, green = 0, blue = 0;
    for (let share = starts[column]!; share < starts[column + 1]!; share++) {
      const at = (indexes[share]! - offset) * 3;
      const weight = weights[share]!;
      red += sums[at]! * weight;
      green += sums[at + 1]! * weight;
      blue += sums[at + 2]! * weight;
    }
    line[column] = (red / total + half) << 16 | (green / total + half) << 8 |
      (blue / total + half);
  }
}
