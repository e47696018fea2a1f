/**
 * The last picture of each region, in strips: requests that wait for the same region share equal
 * strips.
 */

import { Buffer } from "node:buffer";
import type { Region } from "../core/geometry.ts";
import type { Picture } from "./picture.ts";

/**
 * High enough to compare and copy fast, low enough that a change requires a copy of only a small
 * part.
 */
const STRIP_ROWS = 64;

/** What a region showed. */
export interface RegionPicture {
  readonly region: Region;
  /**
   * From top to bottom, each of {@link STRIP_ROWS} rows, the last one of the remaining rows; may be
   * shared with other entries.
   */
  readonly strips: Uint32Array[];
}

export class RegionPictures {
  readonly #pictures = new Map<string, RegionPicture>();

  get(name: string): RegionPicture | undefined {
    return this.#pictures.get(name);
  }

  /** Remembers a picture of the region; the picture may be overwritten afterwards. */
  set(name: string, region: Region, { pixels, width }: Picture): void {
    const memory: RegionPicture = { region, strips: [] };
    const length = STRIP_ROWS * width;
    for (let at = 0; at < pixels.length; at += length) {
      const strip = pixels.subarray(at, at + length);
      memory.strips.push(this.#equal(memory, strip) ?? strip.slice());
    }
    this.#pictures.set(name, memory);
  }

  delete(name: string): boolean {
    return this.#pictures.delete(name);
  }

  /** Replaces what an area within the region showed with what it shows now. */
  update(memory: RegionPicture, area: Region, { pixels, width }: Picture): void {
    const { region, strips } = memory;
    const [left, top] = [area.x - region.x, area.y - region.y];
    const last = Math.floor((top + area.height - 1) / STRIP_ROWS);
    for (let index = Math.floor(top / STRIP_ROWS); index <= last; index++) {
      const old = strips[index]!;
      const strip = this.#isShared(memory, index) ? old.slice() : old;
      const first = Math.max(top, index * STRIP_ROWS);
      const end = Math.min(top + area.height, (index + 1) * STRIP_ROWS);
      for (let row = first; row < end; row++) {
        const line = pixels.subarray((row - top) * width, (row - top + 1) * width);
        strip.set(line, row % STRIP_ROWS * region.width + left);
      }
      strips[index] = this.#equal(memory, strip, index) ?? strip;
    }
  }

  /** Total bytes of all strips. */
  get size(): number {
    const all = new Set([...this.#pictures.values()].flatMap(({ strips }) => strips));
    return [...all].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #isShared(memory: RegionPicture, index: number): boolean {
    const strip = memory.strips[index];
    return this.#others(memory).some(({ strips }) => strips[index] === strip);
  }

  /**
   * The equal strip of another entry for the same region; without an index, the strip that would
   * come next.
   */
  #equal(
    memory: RegionPicture,
    strip: Uint32Array,
    index: number = memory.strips.length,
  ): Uint32Array | undefined {
    const different = new Set<Uint32Array>([strip]);
    for (const { strips } of this.#others(memory)) {
      const other = strips[index]!;
      if (different.has(other)) continue;
      if (asBytes(other).equals(asBytes(strip))) return other;
      different.add(other);
    }
    return undefined;
  }

  #others(memory: RegionPicture): RegionPicture[] {
    const { x, y, width, height } = memory.region;
    return [...this.#pictures.values()].filter((other) => {
      const { region } = other;
      return other !== memory && region.x === x && region.y === y && region.width === width &&
        region.height === height;
    });
  }
}

/** A row of the region, counted from its top. */
export function rowAt({ region, strips }: RegionPicture, row: number): Uint32Array {
  const start = row % STRIP_ROWS * region.width;
  return strips[Math.floor(row / STRIP_ROWS)]!.subarray(start, start + region.width);
}

function asBytes({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
