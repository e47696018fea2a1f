/** Colours that lie above others. */

/** Porter and Duff's "over" operator for a premultiplied colour above an opaque one. */
export function over(above: number, below: number): number {
  const alpha = above >>> 24;
  if (alpha === 0) return below;
  if (alpha === 255) return above & 0xffffff;
  const mix = (shift: number) => {
    const under = ((below >>> shift) & 255) * (255 - alpha);
    return Math.min(255, ((above >>> shift) & 255) + Math.round(under / 255)) << shift;
  };
  return mix(16) | mix(8) | mix(0);
}
