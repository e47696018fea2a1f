/** The areas that changed recently, with the number of each change. */

import { boxAround } from "../../imaging/regions.ts";
import type { Region } from "../types/mod.ts";

/** Changes kept; a picture older than the oldest counts as changed completely. */
const MAX_CHANGES = 1_024;
/** A change with more areas is kept as their bounding box. */
const MAX_AREAS = 32;

export class ChangeLog {
  #count = 0;
  /** The areas of the latest changes, oldest first. */
  readonly #areas: (readonly Region[])[] = [];

  get count(): number {
    return this.#count;
  }

  add(areas: readonly Region[]): void {
    this.#count++;
    this.#areas.push(areas.length > MAX_AREAS ? [boxAround(areas)] : areas);
    if (this.#areas.length > MAX_CHANGES) this.#areas.shift();
  }

  /** All areas that changed after number `count`; `undefined` when these are no longer all kept. */
  since(count: number): readonly Region[] | undefined {
    const wanted = this.#count - count;
    if (wanted > this.#areas.length) return undefined;
    return wanted === 0 ? [] : this.#areas.slice(-wanted).flat();
  }
}
