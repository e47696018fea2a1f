/** Remembers what regions show, and tells whether they show something else now. */

import type { Picture, Region, Screen } from "../../platform/types.ts";
import { joinAreas } from "./areas.ts";

export type CompareJob =
  /** Remembers the region under the name; `true`. */
  | { readonly kind: "remember"; readonly name: string; readonly region: Region }
  /** Whether some area of `ignoreArea` pixels or more shows something else; then that is remembered instead. */
  | {
    readonly kind: "compare";
    readonly name: string;
    readonly areas: readonly Region[];
    readonly ignoreArea: number;
  };

interface Memory {
  readonly region: Region;
  readonly picture: Picture;
}

const HIDDEN = { cursor: "hidden" } as const;

export class Comparer {
  readonly #memories = new Map<string, Memory>();

  async run(screen: Screen, job: CompareJob): Promise<boolean> {
    switch (job.kind) {
      case "remember":
        this.#memories.set(job.name, await remember(screen, job.region));
        return true;
      case "compare": {
        const memory = this.#memories.get(job.name);
        if (!memory) return true; // another worker remembered it
        let changed = false;
        for (const area of joinAreas(job.areas)) {
          if (await differs(screen, memory, { area, ignoreArea: job.ignoreArea })) changed = true;
        }
        return changed;
      }
    }
  }

  forget(name: string): boolean {
    return this.#memories.delete(name);
  }
}

async function remember(screen: Screen, region: Region): Promise<Memory> {
  const picture = await screen.capture(region, HIDDEN, ({ width, height, pixels }) => ({
    ...{ width, height },
    pixels: pixels.slice(),
  }));
  return { region, picture };
}

/**
 * An area that differs by less than is ignored stays remembered as it was: a text cursor comes back, and
 * what grows bit by bit adds up.
 */
function differs(
  screen: Screen,
  { region, picture: old }: Memory,
  { area, ignoreArea }: { area: Region; ignoreArea: number },
): Promise<boolean> {
  const offset = (area.y - region.y) * old.width + area.x - region.x;
  return screen.capture(area, HIDDEN, (now) => {
    const box = changedBox(now, old, offset);
    if (!box || box.width * box.height < ignoreArea) return false;
    for (let row = 0; row < now.height; row++) {
      const line = now.pixels.subarray(row * now.width, (row + 1) * now.width);
      old.pixels.set(line, offset + row * old.width);
    }
    return true;
  });
}

/** The box around all pixels that differ. */
function changedBox(now: Picture, old: Picture, offset: number): Region | undefined {
  let left = now.width, right = -1, top = -1, bottom = -1;
  for (let row = 0, at = 0; row < now.height; row++) {
    let before = offset + row * old.width;
    for (let column = 0; column < now.width; column++, at++, before++) {
      if (((now.pixels[at]! ^ old.pixels[before]!) & 0xffffff) === 0) continue;
      if (column < left) left = column;
      if (column > right) right = column;
      if (top < 0) top = row;
      bottom = row;
    }
  }
  if (top < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
