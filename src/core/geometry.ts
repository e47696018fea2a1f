/** Points, sizes, regions and colours of screens and pictures. */

/** Integer pixels, origin top-left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Region extends Point, Size {}

/** Red, green, blue, each 0..255. */
export type Rgb = readonly [number, number, number];
