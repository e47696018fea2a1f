/**
 * Scales down by area averaging: every pixel of the result is the mean of the area that it covers,
 * so that text stays readable.
 */

import type { Region } from "../../core/geometry.ts";
import type { Picture } from "../picture.ts";
import { scaleExactly } from "./exact.ts";
import { scaleFast } from "./fast.ts";
import { planAxes, type Scaling } from "./shares.ts";
import { scaleToTwoThirds } from "./two_thirds.ts";

/**
 * Scales a picture of the scaling's {@link sourceRegion}. The exact way uses integers and rounds
 * each mean once; down to a quarter of the size a faster way is used, which is off by at most about
 * one level of 255.
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

/**
 * Such as full HD to 1280x720. Parts must have the same pixels as the whole picture, so only the
 * two exact ways are used: {@link scaleToTwoThirds} and {@link scaleExactly}.
 */
function isTwoThirds({ from, to }: Scaling): boolean {
  return from.width * 2 === to.width * 3 && from.height * 2 === to.height * 3;
}

function isInBlocks({ x, y, width, height }: Region): boolean {
  return (x | y | width | height) % 2 === 0;
}

/**
 * The largest factor for the fast way: with more pixels per result, its 8-bit weights would be too
 * coarse.
 */
const MAX_FAST = 4;
