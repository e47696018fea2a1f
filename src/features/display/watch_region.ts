/** Follows what a region of the display shows: checks it when the display reports a change. */

import { ServiceError } from "../../core/errors.ts";
import type { Changes, Display, Region, Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { contains, joinAreas, overlap, without } from "../../imaging/regions.ts";
import type { Ignored } from "./compare_job.ts";
import { pause } from "../../core/deadline.ts";

/** Interval between checks while the display keeps changing. */
export const REST_MS = 10;

export interface Watched {
  readonly context: Context;
  readonly display: Display;
  readonly changes: Changes;
  /** The region on a screen of the given size. */
  regionOf(size: Size): Region;
}

export interface Watch extends AsyncDisposable {
  /**
   * Resolves after a change on the display, with whether the change counts.
   * @param patience ends the wait for a change, but a change that has arrived by then is still
   * checked
   */
  changed(signal: AbortSignal, patience?: AbortSignal): Promise<boolean>;
}

/** Follows a region, starting from its current content. */
export async function watchRegion(watched: Watched, ignored: Ignored): Promise<Watch> {
  const { context: { session: { pictures } }, display, changes, regionOf } = watched;
  const name = crypto.randomUUID();
  let { count, size } = await changes.look();
  let region = regionOf(size);
  let resized = false;
  const areasUntilNow = async () => {
    const now = await changes.look();
    const areas = changes.since(count) ?? [{ x: 0, y: 0, ...now.size }];
    resized = now.size.width !== size.width || now.size.height !== size.height;
    ({ count, size } = now);
    return areas.flatMap((area) => overlap(area, region) ?? []);
  };
  const remember = () => {
    region = regionOf(size);
    return pictures.run("compare", display, { kind: "remember", name, region });
  };
  // a worker that crashed has already forgotten the region
  const forget = () => pictures.run("forget", display, { name }).catch(() => {});
  const look = async (): Promise<boolean> => {
    const areas = (await areasUntilNow())
      .filter((area) => !ignored.regions.some((one) => contains(one, area)));
    if (resized) await remember();
    if (resized || areas.length === 0) return resized;
    return await pictures.run("compare", display, { kind: "compare", name, areas, ignored });
  };
  let early: boolean;
  try {
    await remember();
    // an area that changes again meanwhile may be remembered in its newest state, and can then no
    // longer be compared
    const areas = (await areasUntilNow()).flatMap((area) => without(area, ignored.regions));
    early = joinAreas(areas).some(({ width, height }) => width * height >= ignored.pixels);
  } catch (error) {
    await forget();
    throw error;
  }
  let looked = performance.now();
  return {
    async changed(signal, patience = signal) {
      if (early) return !(early = false);
      await changes.next(count, patience).catch((error) => {
        if (!patience.aborted || signal.aborted) throw error;
      });
      const rest = looked + REST_MS - performance.now();
      if (rest > 0) await pause(rest, signal);
      looked = performance.now();
      return await look().catch((error) => {
        if (isResizing(error)) return true;
        throw error;
      });
    },
    [Symbol.asyncDispose]: async () => void await forget(),
  };
}

/** Whether a picture could not be taken because the display was being resized. */
export function isResizing(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "conflict";
}
