/** Follows what a region of the display shows: looks when the display reports a change, and compares. */

import { ServiceError } from "../../core/errors.ts";
import type { Changes, Display, Region, Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { contains, joinAreas, overlap, without } from "../../imaging/regions.ts";
import type { Ignored } from "./compare_job.ts";
import { pause } from "../../core/deadline.ts";

/** While something goes on changing it is looked at this often. */
export const REST_MS = 10;

export interface Watched {
  readonly context: Context;
  readonly display: Display;
  readonly changes: Changes;
  /** The region on a screen of that size. */
  regionOf(size: Size): Region;
}

export interface Watch extends AsyncDisposable {
  /**
   * Resolves after something has changed on the display, with whether that counts.
   * @param patience ends the wait for a change, but a change that has come by then is looked at all the same
   */
  changed(signal: AbortSignal, patience?: AbortSignal): Promise<boolean>;
}

/** Follows a region from how it looks now. */
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
  const forget = () => pictures.run("forget", display, { name }).catch(() => {}); // a worker that broke has forgotten
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
    // what changed meanwhile may be remembered as it looks now: it cannot be compared any more
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

/** Whether a picture could not be taken because the display changed its size at that moment. */
export function isResizing(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "conflict";
}
