/** Looks at windows at each of their changes, until something is true. */

import { followUntil, pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Window, WindowId, Windows } from "../../platform/types/mod.ts";

/**
 * Time between two looks at least, in milliseconds: a program may change its title all the time, and
 * each look asks the system about every window.
 */
const LOOK_PAUSE_MS = 20;

/**
 * Calls `look` now and after each change; resolves when it says so, and when the signal aborts.
 * @param wake something else after which it looks again, once
 * @param look is given a promise of the next change, which it may wait for
 */
export async function lookUntil(
  windows: Windows,
  signal: AbortSignal,
  look: (changed: Promise<void>) => Promise<boolean>,
  wake?: Promise<unknown>,
): Promise<void> {
  let isWoken = false;
  const woken = wake?.then(() => {
    isWoken = true;
  });
  using following = followUntil(signal);
  while (!signal.aborted) {
    const nextLookAt = performance.now() + LOOK_PAUSE_MS;
    const wasWoken = isWoken; // what wakes during the look is looked at once more
    // asked for before the look: no change in between is missed
    const changed = windows.changed(following.signal);
    changed.catch(() => {});
    try {
      if (await look(changed)) return;
      await (woken === undefined || wasWoken ? changed : Promise.race([changed, woken]));
      const restMs = nextLookAt - performance.now();
      if (restMs > 0) await pause(restMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** The window as it is now; `undefined` when it has closed. */
export async function findOpenWindow(
  windows: Windows,
  id: WindowId,
  signal: AbortSignal,
): Promise<Window | undefined> {
  try {
    return await windows.find(id, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  }
}
