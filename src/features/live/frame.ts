/** What a display shows, as its viewers get it: takes over what was captured, and finds what moved. */

import type { Region, Size } from "../../core/geometry.ts";
import { overlap } from "../../imaging/boxes.ts";
import type { Picture } from "../../imaging/picture.ts";

const COLOUR = 0xffffff;

/** Rows that were moved: the area shows now what was `dy` pixels further down. */
export interface Copy extends Region {
  readonly dy: number;
}

/** What hears of changes while they are made. */
export interface FrameListener {
  /** A part was copied from another place of the picture. */
  onCopy(copy: Copy): void;
  /** A tile has other pixels now. */
  onChange(tile: number): void;
}

export class Frame implements Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array<ArrayBuffer>;
  readonly grid: TileGrid;
  /** When each tile has changed last, on the clock of `performance.now()`. */
  readonly changedAt: Float64Array;
  /** Whether all of it has been captured. */
  isComplete = false;

  constructor(size: Size) {
    this.width = size.width;
    this.height = size.height;
    this.pixels = new Uint32Array(size.width * size.height);
    this.grid = new TileGrid(size);
    this.changedAt = new Float64Array(this.grid.count).fill(-Infinity);
  }

  /**
   * Takes over what an area shows now. Returns whether anything differs.
   * @param now of the size of the area, which lies within the frame
   */
  merge(area: Region, now: Picture, listener: FrameListener): boolean {
    const copy = findScroll(this, area, now);
    if (copy !== undefined) this.#apply(copy, listener);
    let differs = copy !== undefined;
    const at = performance.now();
    this.grid.forEach(area, (tile, column, row) => {
      const part = overlap(area, { x: column * TILE, y: row * TILE, width: TILE, height: TILE })!;
      if (!this.#differs(part, area, now)) return;
      differs = true;
      this.changedAt[tile] = at;
      listener.onChange(tile);
    });
    if (differs) this.#takeOver(area, now);
    return differs;
  }

  #differs(part: Region, area: Region, { pixels: now }: Picture): boolean {
    const { pixels, width } = this;
    for (let y = part.y; y < part.y + part.height; y++) {
      let at = y * width + part.x;
      let from = (y - area.y) * area.width + part.x - area.x;
      for (const end = at + part.width; at < end; at++, from++) {
        if (((pixels[at]! ^ now[from]!) & COLOUR) !== 0) return true;
      }
    }
    return false;
  }

  /** In whole rows: those of tiles take several times as long. */
  #takeOver({ x, y, width, height }: Region, { pixels }: Picture): void {
    for (let row = 0; row < height; row++) {
      const line = pixels.subarray(row * width, (row + 1) * width);
      this.pixels.set(line, (y + row) * this.width + x);
    }
  }

  /** Whatever the copy gets wrong is mended by the comparison that follows. */
  #apply(copy: Copy, listener: FrameListener): void {
    const { pixels, width } = this;
    const { x, y, height, dy } = copy;
    for (let step = 0; step < height; step++) {
      const row = dy > 0 ? y + step : y + height - 1 - step; // no row is overwritten before it is read
      const from = (row + dy) * width + x;
      pixels.copyWithin(row * width + x, from, from + copy.width);
    }
    const at = performance.now();
    this.grid.forEach(copy, (tile) => this.changedAt[tile] = at);
    listener.onCopy(copy);
  }
}

// Finds scrolls: rows that a picture shows at another height than before.

/** Smaller areas are sent as they are. */
const LEAST = { width: 128, height: 64 };
/** Rows are recognised with those below them: a single one of a text looks like many others. */
const GROUP_ROWS = 12;
/** So many groups, and this part of all that have changed, must have moved by the same distance. */
const LEAST_GROUPS = 16;
const LEAST_SHARE = 0.25;
/** Of a row, every so manieth pixel is looked at: a wrong guess costs time, and is mended. */
const STEP = 3;
/** FNV-1a, 32 bits. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The largest part of the area that only moved up or down, if there is one. */
function findScroll(frame: Frame, area: Region, now: Picture): Copy | undefined {
  if (area.width < LEAST.width || area.height < LEAST.height) return undefined;
  const before = hashGroups(frame, area);
  const after = hashGroups(now, { ...area, x: 0, y: 0 });
  const places = new Map<number, number>();
  for (const [row, hash] of before.entries()) places.set(hash, places.has(hash) ? -1 : row);
  const votes = new Map<number, number>();
  let changed = 0;
  for (const [row, hash] of after.entries()) {
    if (hash === before[row]) continue;
    changed++;
    const was = places.get(hash) ?? -1; // groups that look alike say nothing
    if (was >= 0) votes.set(was - row, (votes.get(was - row) ?? 0) + 1);
  }
  let dy = 0, most = 0;
  for (const [distance, count] of votes) if (count > most) [dy, most] = [distance, count];
  if (most < LEAST_GROUPS || most < changed * LEAST_SHARE) return undefined;
  const { x, y, width, height } = area;
  return { x, y: y + Math.max(0, -dy), width, height: height - Math.abs(dy), dy };
}

/** For each row of an area but the last ones, a hash of it and those below it. */
function hashGroups({ pixels, width: stride }: Picture, area: Region): Int32Array {
  const rows = new Int32Array(area.height);
  for (let row = 0; row < area.height; row++) {
    let hash = OFFSET_BASIS;
    let at = (area.y + row) * stride + area.x;
    for (const end = at + area.width; at < end; at += STEP) {
      hash = Math.imul(hash ^ (pixels[at]! & COLOUR), PRIME);
    }
    rows[row] = hash;
  }
  return Int32Array.from({ length: area.height - GROUP_ROWS + 1 }, (_, first) => {
    const group = rows.subarray(first, first + GROUP_ROWS);
    return group.reduce((hash, row) => Math.imul(hash ^ row, PRIME), OFFSET_BASIS);
  });
}

// The grid of tiles by which a picture is followed: which of them an area touches.

/** The width and height of a tile, in pixels. */
export const TILE = 64;
/** Rows of tiles in one rectangle: larger ones would be encoded in one go that takes too long. */
const MAX_ROWS = 4;

export class TileGrid {
  readonly columns: number;
  readonly rows: number;

  constructor(readonly size: Size) {
    this.columns = Math.ceil(size.width / TILE);
    this.rows = Math.ceil(size.height / TILE);
  }

  get count(): number {
    return this.columns * this.rows;
  }

  /** Calls `use` with each tile that the area touches: its index, column and row. */
  forEach(area: Region, use: (tile: number, column: number, row: number) => void): void {
    const right = Math.min(this.columns, Math.ceil((area.x + area.width) / TILE));
    const bottom = Math.min(this.rows, Math.ceil((area.y + area.height) / TILE));
    const left = Math.max(0, Math.floor(area.x / TILE));
    for (let row = Math.max(0, Math.floor(area.y / TILE)); row < bottom; row++) {
      for (let column = left; column < right; column++) {
        use(row * this.columns + column, column, row);
      }
    }
  }

  /** The tiles that are set, in as few rectangles as a simple search finds, within the picture. */
  rectangles(bits: Uint8Array): Region[] {
    const found: Region[] = [];
    let above = new Map<string, MutableRegion>();
    for (let row = 0; row < this.rows; row++) {
      const here = new Map<string, MutableRegion>();
      for (const { x, width } of this.#runs(bits, row)) {
        const height = Math.min(TILE, this.size.height - row * TILE);
        const key = `${x} ${width}`;
        const upper = above.get(key);
        if (upper !== undefined && upper.height < MAX_ROWS * TILE) {
          upper.height += height;
          here.set(key, upper);
          continue;
        }
        const region = { x, y: row * TILE, width, height };
        found.push(region);
        here.set(key, region);
      }
      above = here;
    }
    return found;
  }

  /** The tiles of a row that are set, side by side. */
  #runs(bits: Uint8Array, row: number): { x: number; width: number }[] {
    const runs = [];
    const end = (row + 1) * this.columns;
    for (let tile = row * this.columns; tile < end;) {
      if (bits[tile] === 0) {
        tile++;
        continue;
      }
      const x = (tile - row * this.columns) * TILE;
      while (tile < end && bits[tile] !== 0) tile++;
      runs.push({ x, width: Math.min((tile - row * this.columns) * TILE, this.size.width) - x });
    }
    return runs;
  }
}

type MutableRegion = { -readonly [Key in keyof Region]: Region[Key] };
