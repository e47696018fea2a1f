/** Scrolling that models count in pixels. */

/** About as much as programs scroll for one notch of the wheel. */
const PIXELS_PER_NOTCH = 100;

/** The nearest number of notches; at least one where there is anything to scroll. */
export function toNotches(pixels: number): number {
  if (pixels === 0) return 0;
  return Math.sign(pixels) * Math.max(1, Math.round(Math.abs(pixels) / PIXELS_PER_NOTCH));
}
