/**
 * The final judgement of a place: the correlation coefficient of all pixels in all three colours.
 */

import type { Picture } from "../picture.ts";
import type { Template } from "../decode.ts";
import type { Scored } from "./places.ts";

export interface Judge {
  /** The place itself, or a better one reached through its neighbours. */
  best(x: number, y: number): Scored;
}

/** Most steps from a place to a better neighbour. */
const MAX_STEPS = 4;
const NEIGHBOURS = [[0, -1], [-1, 0], [1, 0], [0, 1]] as const;

export function createJudge(picture: Picture, template: Template): Judge {
  const parts = sumUp(template);
  const known = new Map<string, number>();
  const scoreAt = (x: number, y: number): number => {
    const off = x < 0 || y < 0 || x + template.width > picture.width ||
      y + template.height > picture.height;
    if (off) return -1;
    const key = `${x},${y}`;
    const score = known.get(key) ?? correlation(picture, template, { x, y, parts });
    known.set(key, score);
    return score;
  };
  return {
    best(x, y) {
      let best = { x, y, score: scoreAt(x, y) };
      for (let step = 0; step < MAX_STEPS && best.score < 1 - 1e-9; step++) {
        const from = best;
        for (const [dx, dy] of NEIGHBOURS) {
          const score = scoreAt(from.x + dx, from.y + dy);
          if (score > best.score) best = { x: from.x + dx, y: from.y + dy, score };
        }
        if (best === from) break;
      }
      return best;
    },
  };
}

/** Values that do not depend on the place. */
interface Parts {
  readonly count: number;
  /** Of red, green and blue. */
  readonly sums: readonly [number, number, number];
  /** Sum of the squared differences from the means, over all colours. */
  readonly energy: number;
}

function sumUp({ pixels, mask }: Template): Parts {
  let count = 0, red = 0, green = 0, blue = 0, squares = 0;
  for (let at = 0; at < pixels.length; at++) {
    if (mask?.[at] === 0) continue;
    const pixel = pixels[at]!;
    const [r, g, b] = [pixel >>> 16 & 255, pixel >>> 8 & 255, pixel & 255];
    count++;
    red += r;
    green += g;
    blue += b;
    squares += r * r + g * g + b * b;
  }
  const energy = squares - (red * red + green * green + blue * blue) / count;
  return { count, sums: [red, green, blue], energy };
}

function correlation(
  picture: Picture,
  { pixels, mask, width, height }: Template,
  { x, y, parts }: { x: number; y: number; parts: Parts },
): number {
  const { count, sums, energy } = parts;
  let red = 0, green = 0, blue = 0, squares = 0, product = 0;
  for (let row = 0, at = 0; row < height; row++) {
    let from = (y + row) * picture.width + x;
    for (let column = 0; column < width; column++, at++, from++) {
      if (mask !== undefined && mask[at] === 0) continue;
      const seen = picture.pixels[from]!;
      const wanted = pixels[at]!;
      const r = seen >>> 16 & 255, g = seen >>> 8 & 255, b = seen & 255;
      red += r;
      green += g;
      blue += b;
      squares += r * r + g * g + b * b;
      product += r * (wanted >>> 16 & 255) + g * (wanted >>> 8 & 255) + b * (wanted & 255);
    }
  }
  const seenEnergy = squares - (red * red + green * green + blue * blue) / count;
  const common = product - (red * sums[0] + green * sums[1] + blue * sums[2]) / count;
  const norm = Math.sqrt(Math.max(0, seenEnergy) * energy);
  return norm === 0 ? 0 : common / norm;
}
