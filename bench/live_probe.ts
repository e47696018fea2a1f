/** Where the benches of the live picture draw the colours that they wait for, and how these are read. */

export const PROBE = { x: 1600, y: 900, width: 64, height: 64 };
/** A pixel in its middle. */
export const PROBE_AT = { x: 1632, y: 932 };
/** In each picture of the video, in another colour than in the one before and the one after. */
export const MARK = { x: 400, y: 400, width: 64, height: 64 };
/** A pixel in its middle. */
export const MARK_AT = { x: 432, y: 432 };
/** The number of colours that follow each other: 1 to 7. */
const COLOURS = 7;

/** The pixel value of a colour, which has one bit each for red, green and blue. */
export function pixelOf(colour: number): number {
  return [4, 2, 1].reduce((sum, bit) => sum << 8 | (colour & bit ? 255 : 0), 0);
}

/** The colour of a pixel: losses are smaller than half of the range. */
export function colourOf([red = 0, green = 0, blue = 0]: Iterable<number>): number {
  return Number(red > 127) << 2 | Number(green > 127) << 1 | Number(blue > 127);
}

export function nextColour(colour: number): number {
  return colour % COLOURS + 1;
}
