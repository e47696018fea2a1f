/** Scaling down by area averaging: every pixel of the result is the mean of all that it covers, so that text stays readable. */

import type { Region } from "../../core/geometry.ts";
import type { Picture } from "../picture.ts";
import { scaleExactly } from "./exact.ts";
import { scaleFast } from "./fast.ts";
import { planAxes, type Scaling } from "./shares.ts";
import { scaleToTwoThirds } from "./two_thirds.ts";

/**
 * Scales a picture of {@link sourceRegion} the scaling: exactly, in whole numbers, each mean rounded once;
 * down to a quarter a faster way, which is off by about one level of 255 at most.
 */
export function scaleDown(picture: Picture, scaling: Scaling): Picture {
  const { from, to, window } = scaling;
  const toTwoThirds = isTwoThirds(scaling);
  if (toTwoThirds && isInBlocks(window)) return scaleToTwoThirds(picture);
  const axes = planAxes(scaling);
  if (toTwoThirds) return scaleExactly(picture, axes);
  const isSmallStep = from.width <= MAX_FAST * to.width && from.height <= MAX_FAST * to.height;
  return isSmallStep ? scaleFast(picture, axes) : scaleExactly(picture, axes);
}

/** Full HD to 1280x720. Parts must be the whole's own pixels, and both of these ways are exact. */
function isTwoThirds({ from, to }: Scaling): boolean {
  return from.width * 2 === to.width * 3 && from.height * 2 === to.height * 3;
}

function isInBlocks({ x, y, width, height }: Region): boolean {
  return (x | y | width | height) % 2 === 0;
}

/** Shares of the fast way are bytes: of more pixels they would be too rough. */
const MAX_FAST = 4;
