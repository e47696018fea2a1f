/** Remembers what regions show, and tells whether they show something else now. */

import type { Region } from "../core/geometry.ts";
import type { Screen } from "../platform/types/mod.ts";
import type { Picture } from "./picture.ts";
import { joinAreas } from "../features/display/areas.ts";
import { Memories, type Memory, rowOf } from "../features/display/memories.ts";

export type CompareJob =
  /** Remembers the region under the name; `true`. */
  | { readonly kind: "remember"; readonly name: string; readonly region: Region }
  /** Whether some area shows something else that is not ignored; then that is remembered instead. */
  | {
    readonly kind: "compare";
    readonly name: string;
    readonly areas: readonly Region[];
    readonly ignored: Ignored;
  };

/** Differences that do not count. */
export interface Ignored {
  /** Boxes of fewer pixels. */
  readonly pixels: number;
  /** On the screen. */
  readonly regions: readonly Region[];
}

const HIDDEN = { cursor: "hidden" } as const;

export class Comparer {
  readonly #memories = new Memories();

  async run(screen: Screen, job: CompareJob): Promise<boolean> {
    switch (job.kind) {
      case "remember":
        return await screen.capture(job.region, HIDDEN, (picture) => {
          this.#memories.set(job.name, job.region, picture);
          return true;
        });
      case "compare": {
        const memory = this.#memories.get(job.name);
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
    return this.#memories.delete(name);
  }

  /**
   * An area that differs by less than is ignored stays remembered as it was: a text cursor comes back, and
   * what grows bit by bit adds up.
   */
  #differs(
    screen: Screen,
    memory: Memory,
    { area, ignored }: { area: Region; ignored: Ignored },
  ): Promise<boolean> {
    return screen.capture(area, HIDDEN, (now) => {
      const box = changedBox(now, memory, { area, holes: ignored.regions });
      if (!box || box.width * box.height < ignored.pixels) return false;
      this.#memories.update(memory, area, now);
      return true;
    });
  }
}

/** The box around all pixels of the area that differ, but for those in the holes. */
function changedBox(
  now: Picture,
  memory: Memory,
  { area, holes }: { area: Region; holes: readonly Region[] },
): Region | undefined {
  let left = now.width, right = -1, top = -1, bottom = -1;
  for (let row = 0, at = 0; row < now.height; row++) {
    const old = rowOf(memory, area.y - memory.region.y + row);
    let before = area.x - memory.region.x;
    for (let column = 0; column < now.width; column++, at++, before++) {
      if (((now.pixels[at]! ^ old[before]!) & 0xffffff) === 0) continue;
      const hole = holes.length === 0 ? undefined : holeAt(holes, area.x + column, area.y + row);
      if (hole !== undefined) { // goes on at its last column
        const skipped = Math.min(hole.x + hole.width - area.x, now.width) - column - 1;
        [column, at, before] = [column + skipped, at + skipped, before + skipped];
        continue;
      }
      if (column < left) left = column;
      if (column > right) right = column;
      if (top < 0) top = row;
      bottom = row;
    }
  }
  if (top < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function holeAt(holes: readonly Region[], x: number, y: number): Region | undefined {
  return holes.find((hole) =>
    x >= hole.x && x < hole.x + hole.width && y >= hole.y && y < hole.y + hole.height
  );
}
