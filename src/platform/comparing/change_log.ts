/** The areas that changed lately, each under the number of the change that it was. */

import { boxAround } from "../../imaging/regions.ts";
import type { Region } from "../types/mod.ts";

/** Older changes are forgotten; a picture that is older has changed as a whole. */
const MAX_CHANGES = 1_024;
/** A change of more areas is kept as the one box around them. */
const MAX_AREAS = 32;

export class ChangeLog {
  #count = 0;
  /** The areas of the latest changes, the newest last. */
  readonly #areas: (readonly Region[])[] = [];

  get count(): number {
    return this.#count;
  }

  add(areas: readonly Region[]): void {
    this.#count++;
    this.#areas.push(areas.length > MAX_AREAS ? [boxAround(areas)] : areas);
    if (this.#areas.length > MAX_CHANGES) this.#areas.shift();
  }

  /** All areas of the changes after number `count`; `undefined` when some of them are forgotten. */
  since(count: number): readonly Region[] | undefined {
    const wanted = this.#count - count;
    if (wanted > this.#areas.length) return undefined;
    return wanted === 0 ? [] : this.#areas.slice(-wanted).flat();
  }
}
