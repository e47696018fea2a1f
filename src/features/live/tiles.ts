/** The grid of tiles by which a picture is followed: which of them an area touches, and their areas. */

import type { Region, Size } from "../../core/geometry.ts";

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
