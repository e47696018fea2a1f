/** Where the bench of the live picture draws the colour that it waits for. */

export const PROBE = { x: 1600, y: 900, width: 64, height: 64 };
/** A pixel in its middle. */
export const PROBE_AT = { x: 1632, y: 932 };
