/**
 * Compares regions for waiting operations: remembers what they show and reports whether that has
 * changed.
 */

import type { Region, Screen } from "../../platform/types/mod.ts";
import { changedBox } from "../../imaging/changed_box.ts";
import { joinAreas } from "../../imaging/regions.ts";
import { type RegionPicture, RegionPictures } from "../../imaging/region_pictures.ts";

export type CompareJob =
  /** Remembers the region under the name; returns `true`. */
  | { readonly kind: "remember"; readonly name: string; readonly region: Region }
  /**
   * Whether any area differs in a way that is not ignored; if so, the new content is remembered
   * instead.
   */
  | {
    readonly kind: "compare";
    readonly name: string;
    readonly areas: readonly Region[];
    readonly ignored: Ignored;
  };

/** Differences that are ignored. */
export interface Ignored {
  /** Changed boxes with fewer pixels than this. */
  readonly pixels: number;
  /** Regions of the screen. */
  readonly regions: readonly Region[];
}

const HIDDEN = { cursor: "hidden" } as const;

export class Comparer {
  readonly #pictures = new RegionPictures();

  async run(screen: Screen, job: CompareJob): Promise<boolean> {
    switch (job.kind) {
      case "remember":
        return await screen.capture(job.region, HIDDEN, (picture) => {
          this.#pictures.set(job.name, job.region, picture);
          return true;
        });
      case "compare": {
        const memory = this.#pictures.get(job.name);
        if (!memory) return true; // another worker remembered it
        let changed = false;
        for (const area of joinAreas(job.areas)) {
          if (await this.#differs(screen, memory, { area, ignored: job.ignored })) {
            changed = true;
          }
        }
        return changed;
      }
    }
  }

  forget(name: string): boolean {
    return this.#pictures.delete(name);
  }

  /**
   * An area whose difference is ignored keeps its remembered content: a text cursor then returns to
   * the same picture, and gradual changes add up.
   */
  #differs(
    screen: Screen,
    memory: RegionPicture,
    { area, ignored }: { area: Region; ignored: Ignored },
  ): Promise<boolean> {
    return screen.capture(area, HIDDEN, (now) => {
      const box = changedBox(now, memory, { area, holes: ignored.regions });
      if (!box || box.width * box.height < ignored.pixels) return false;
      this.#pictures.update(memory, area, now);
      return true;
    });
  }
}
