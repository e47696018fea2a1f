/** A screen that programs draw on, and all that it has ever shown: what answers about it are held against. */

import { ServiceError } from "../../src/core/errors.ts";
import type { Point, Region, Size } from "../../src/core/geometry.ts";
import type { Picture } from "../../src/imaging/picture.ts";
import type { World } from "./world.ts";

/** What is shown from one drawing to the next. */
export interface Moment {
  readonly ms: number;
  readonly size: Size;
  /** `0xRRGGBB`, by row. */
  readonly pixels: Uint32Array;
  /** Where was drawn; `redrawn` with the same pixels as before. */
  readonly drawn: Region;
  readonly kind: "drawn" | "redrawn" | "resized";
  /** Whether it was drawn with a colour that was never shown before. */
  readonly isNew: boolean;
}

const SIZES: readonly Size[] = [
  { width: 40, height: 60 },
  { width: 24, height: 100 }, // more rows than a strip of a remembered picture has
  { width: 56, height: 48 },
];
/** A text cursor, which does not keep a display from being still. */
const CARET: Region = { x: 3, y: 5, width: 2, height: 12 };
const CARET_COLOURS = [0xfffffe, 0x000001];

export class SimulatedScreen {
  /** Oldest first. */
  readonly moments: Moment[] = [];
  /** Called after each drawing. */
  onDraw: (moment: Moment) => void = () => {};
  /** A program shows it now and then, never twice at the same place. */
  readonly picture: Picture;
  readonly #picturePlaces: Point[] = [];
  #colours = 0;
  #blinks = 0;

  constructor(private readonly world: World) {
    const [width, height] = [12, 10];
    const pixels = Uint32Array.from({ length: width * height }, () => world.below(0x1_000_000));
    this.picture = { width, height, pixels };
    this.resize();
  }

  /** The number of the newest moment. */
  get now(): number {
    return this.moments.length - 1;
  }

  get current(): Moment {
    return this.moments.at(-1)!;
  }

  /** An area within the screen. */
  randomArea(): Region {
    const { size } = this.current;
    const width = 1 + this.world.below(size.width);
    const height = 1 + this.world.below(size.height);
    const [left, top] = [size.width - width + 1, size.height - height + 1];
    return { x: this.world.below(left), y: this.world.below(top), width, height };
  }

  /** Fills an area with a colour that nothing had before. */
  draw(area = this.randomArea()): void {
    const colour = this.#nextColour();
    this.#push(area, { kind: "drawn", isNew: true, colourAt: () => colour });
  }

  /** A program draws again what is there. */
  redraw(): void {
    const { pixels, size } = this.current;
    const moment = { pixels, size, drawn: this.randomArea(), isNew: false };
    this.#add({ ms: this.world.time.now, kind: "redrawn", ...moment });
  }

  blink(): void {
    const colour = CARET_COLOURS[this.#blinks++ % 2]!;
    this.#push(CARET, { kind: "drawn", isNew: false, colourAt: () => colour });
  }

  showPicture(): void {
    const { width, height, pixels } = this.picture;
    const { size } = this.current;
    const x = this.world.below(size.width - width + 1);
    const y = this.world.below(size.height - height + 1);
    if (this.#picturePlaces.some((at) => at.x === x && at.y === y)) return;
    this.#picturePlaces.push({ x, y });
    const colourAt = (at: Point) => pixels[(at.y - y) * width + at.x - x]!;
    this.#push({ x, y, width, height }, { kind: "drawn", isNew: false, colourAt });
  }

  /** Another size, or the same once more: all of it is drawn anew. */
  resize(): void {
    const size = this.world.pick(SIZES);
    const pixels = new Uint32Array(size.width * size.height).fill(this.#nextColour());
    const drawn = { x: 0, y: 0, ...size };
    this.#add({ ms: this.world.time.now, size, pixels, drawn, kind: "resized", isNew: true });
  }

  /** A colour that will be drawn soon, but has not yet been. */
  colourToCome(): number {
    return colourOf(this.#colours + 1 + this.world.below(3));
  }

  /** @throws ServiceError `conflict` where the screen has no such region now */
  read(region: Region): Uint32Array<ArrayBuffer> {
    const pixels = pixelsOf(this.current, region);
    if (pixels !== undefined) return pixels;
    throw new ServiceError("conflict", "Cannot read the screen: it was resized in the meantime");
  }

  /** The moments from one number to another, both included. */
  between(from: number, to: number): readonly Moment[] {
    return this.moments.slice(from, to + 1);
  }

  /** The largest share of the picture's pixels that is at one place; from 0 to 1. */
  pictureShare(moment: Moment): number {
    return Math.max(0, ...this.#picturePlaces.map((at) => this.pictureShareAt(moment, at)));
  }

  /** The same, for one place. */
  pictureShareAt({ size, pixels }: Moment, { x, y }: Point): number {
    const { picture } = this;
    const [right, bottom] = [x + picture.width, y + picture.height];
    if (x < 0 || y < 0 || right > size.width || bottom > size.height) return 0;
    let same = 0;
    for (let index = 0; index < picture.pixels.length; index++) {
      const [column, row] = [index % picture.width, Math.floor(index / picture.width)];
      if (pixels[(y + row) * size.width + x + column] === picture.pixels[index]) same++;
    }
    return same / picture.pixels.length;
  }

  #nextColour(): number {
    return colourOf(++this.#colours);
  }

  #push(
    drawn: Region,
    { kind, isNew, colourAt }: Pick<Moment, "kind" | "isNew"> & {
      colourAt(at: Point): number;
    },
  ): void {
    const { size } = this.current;
    const pixels = this.current.pixels.slice();
    for (let y = drawn.y; y < drawn.y + drawn.height; y++) {
      for (let x = drawn.x; x < drawn.x + drawn.width; x++) {
        pixels[y * size.width + x] = colourAt({ x, y });
      }
    }
    this.#add({ ms: this.world.time.now, size, pixels, drawn, kind, isNew });
  }

  #add(moment: Moment): void {
    this.moments.push(moment);
    this.onDraw(moment);
  }
}

/** Another one for each number: the factor is odd, so that it maps 24 bits to 24 bits one to one. */
function colourOf(number: number): number {
  return Math.imul(number, 0x9e3779) & 0xffffff;
}

/** A copy of a region of the screen; `undefined` where the screen was smaller then. */
export function pixelsOf(
  { size, pixels }: Pick<Moment, "size" | "pixels">,
  { x, y, width, height }: Region,
): Uint32Array<ArrayBuffer> | undefined {
  if (x + width > size.width || y + height > size.height) return undefined;
  const out = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * size.width + x;
    out.set(pixels.subarray(from, from + width), row * width);
  }
  return out;
}

/** The pixel at a point; `undefined` where the screen was smaller then. */
export function pixelAt({ size, pixels }: Moment, { x, y }: Point): number | undefined {
  return x < size.width && y < size.height ? pixels[y * size.width + x] : undefined;
}

export function isSame(one: Uint32Array | undefined, other: Uint32Array): boolean {
  return one?.length === other.length && one.every((pixel, index) => pixel === other[index]);
}
