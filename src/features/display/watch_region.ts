/** Follows what a region of the display shows: looks when the display tells of a change, and compares. */

import { ServiceError } from "../../errors.ts";
import type { Changes, Display, Region } from "../../platform/types.ts";
import type { Context } from "../operation.ts";
import { joinAreas, overlap } from "./areas.ts";
import { pause } from "./deadline.ts";

/** While something goes on changing it is looked at this often. */
export const REST_MS = 10;

export interface Watched {
  readonly context: Context;
  readonly display: Display;
  readonly changes: Changes;
  /** On the screen. */
  readonly region: Region;
}

export interface Watch extends AsyncDisposable {
  /**
   * Resolves after something has changed on the display, with whether that counts.
   * @param patience aborts the wait for a change; a change that has come is looked at all the same
   */
  changed(signal: AbortSignal, patience?: AbortSignal): Promise<boolean>;
}

/** Follows a region from how it looks now. */
export async function watchRegion(watched: Watched, ignoreArea: number): Promise<Watch> {
  const { context: { session: { pictures } }, display, changes, region } = watched;
  const name = crypto.randomUUID();
  let { count, size } = await changes.look();
  let resized = false;
  const areasUntilNow = async () => {
    const now = await changes.look();
    const areas = changes.since(count) ?? [{ x: 0, y: 0, ...now.size }];
    resized = now.size.width !== size.width || now.size.height !== size.height;
    ({ count, size } = now);
    return areas.flatMap((area) => overlap(area, region) ?? []);
  };
  await pictures.run("compare", display, { kind: "remember", name, region });
  // what changed meanwhile may be remembered as it looks now: it cannot be compared any more
  let early = joinAreas(await areasUntilNow())
    .some(({ width, height }) => width * height >= ignoreArea);
  let looked = performance.now();
  return {
    async changed(signal, patience = signal) {
      if (early) return !(early = false);
      await changes.next(count, patience);
      await pause(looked + REST_MS - performance.now(), signal);
      const areas = await areasUntilNow();
      looked = performance.now();
      if (resized) return true;
      if (areas.length === 0) return false;
      try {
        const job = { kind: "compare", name, areas, ignoreArea } as const;
        return await pictures.run("compare", display, job);
      } catch (error) {
        if (error instanceof ServiceError && error.code === "conflict") return true; // it is being resized
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await pictures.run("compare", display, { kind: "forget", name });
    },
  };
}
