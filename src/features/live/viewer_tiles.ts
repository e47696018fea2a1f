/**
 * What one viewer lacks: the tiles that it has not got, those that it has only nearly right, and what
 * moved since its last message. Grows with the picture and not with time.
 */

import type { Region } from "../../core/geometry.ts";
import { contains, overlap } from "../../imaging/boxes.ts";
import { type Copy, type Frame, TILE, type TileGrid } from "./frame.ts";

/** Messages that may be on their way to a viewer: one is decoded while the next one travels. */
const MAX_IN_FLIGHT = 2;
/** More moves than this are sent as pictures. */
const MAX_COPIES = 32;
/** What has not changed for so long is made exact, in milliseconds. */
export const STILL_MS = 250;
/** Rectangles of a message that makes tiles exact: what changes meanwhile must not wait for long. */
const REFINED_AT_ONCE = 2;

/** What the next message has, in the coordinates of the display. */
export interface Due {
  readonly copies: readonly Copy[];
  readonly regions: readonly Region[];
  /** Whether the regions are sent once more, exact now. */
  readonly isRefined: boolean;
}

export class ViewerTiles {
  /** Not sent yet. */
  readonly #dirty: Uint8Array;
  /** Sent with losses. */
  readonly #lossy: Uint8Array;
  #copies: Copy[] = [];
  #sent: number;
  #acknowledged: number;

  /**
   * At first everything is lacking.
   * @param view what the viewer sees of the display
   * @param before what it saw; messages keep their numbers
   */
  constructor(private readonly grid: TileGrid, readonly view: Region, before?: ViewerTiles) {
    this.#dirty = new Uint8Array(grid.count);
    this.#lossy = new Uint8Array(grid.count);
    this.#sent = before === undefined ? 0 : before.#sent;
    this.#acknowledged = before === undefined ? 0 : before.#acknowledged;
    grid.forEach(view, (tile) => this.#dirty[tile] = 1);
  }

  /** Whether it takes another message: one that acknowledges none gets none. */
  get canTake(): boolean {
    return this.#sent - this.#acknowledged < MAX_IN_FLIGHT;
  }

  get isLossy(): boolean {
    return this.#lossy.includes(1);
  }

  /** The number of the next message. */
  nextId(): number {
    return ++this.#sent;
  }

  /** The messages up to this number have been shown; `false` for one that was not sent, or is old. */
  acknowledge(id: number): boolean {
    const isNews = id > this.#acknowledged && id <= this.#sent;
    if (isNews) this.#acknowledged = id;
    return isNews;
  }

  mark(tile: number): void {
    this.#dirty[tile] = 1; // one beyond the view is left out when it is sent
  }

  /** What it does not have exactly moves along. */
  move(copy: Copy): void {
    const source = { ...copy, y: copy.y + copy.dy };
    const hasAll = contains(this.view, copy) && contains(this.view, source);
    if (!hasAll || this.#copies.length === MAX_COPIES) {
      return this.grid.forEach(copy, (tile) => this.mark(tile));
    }
    for (const bits of [this.#dirty, this.#lossy]) this.#moveBits(bits, copy);
    this.#copies.push(copy);
  }

  /** Takes what is due now: changes and moves, else tiles that are still and not exact yet. */
  take({ changedAt }: Frame, now: number): Due | undefined {
    const copies = this.#copies;
    const changed = this.#visible(this.#dirty);
    this.#dirty.fill(0);
    this.#copies = [];
    if (changed.length + copies.length > 0) return { copies, regions: changed, isRefined: false };
    const still = this.#lossy.map((bit, tile) => bit & Number(now - changedAt[tile]! >= STILL_MS));
    const regions = this.#visible(still).slice(0, REFINED_AT_ONCE);
    return regions.length === 0 ? undefined : { copies, regions, isRefined: true };
  }

  /** A region was sent. @param isLossy whether it is only nearly right */
  note(region: Region, isLossy: boolean): void {
    this.grid.forEach(region, (tile) => this.#lossy[tile] = Number(isLossy));
  }

  #visible(bits: Uint8Array): Region[] {
    return this.grid.rectangles(bits).flatMap((region) => overlap(region, this.view) ?? []);
  }

  /** A tile is as good as the worst of those that it shows parts of now, and as itself before. */
  #moveBits(bits: Uint8Array, copy: Copy): void {
    if (!bits.includes(1)) return;
    const before = bits.slice();
    const { columns, rows } = this.grid;
    this.grid.forEach(copy, (tile, column, row) => {
      const first = Math.max(0, Math.floor((row * TILE + copy.dy) / TILE));
      const last = Math.min(rows - 1, Math.floor((row * TILE + TILE - 1 + copy.dy) / TILE));
      for (let from = first; from <= last; from++) bits[tile]! |= before[from * columns + column]!;
    });
  }
}
