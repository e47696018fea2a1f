/** Waits for the next change that a recording shows. */

import { pause } from "../../core/deadline.ts";
import type { Changes } from "../../platform/types/mod.ts";

/** Where reading the cursor takes long, at most this part of the time is spent on it. */
const CURSOR_SHARE = 4;

export interface Shown {
  /** Of the last look. */
  readonly count: number;
  /** The key of the cursor, where that is shown: no system reports that it moves. */
  readonly cursor: string | undefined;
  /** The shortest time between two pictures. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/** @throws the signal's reason; ServiceError `unavailable`: the display has gone */
export async function nextChange(changes: Changes, shown: Shown): Promise<void> {
  const { count, cursor, intervalMs } = shown;
  if (cursor === undefined) return await changes.next(count, shown.signal);
  const over = new AbortController();
  const signal = AbortSignal.any([shown.signal, over.signal]);
  const waits = [changes.next(count, signal), nextCursor(changes, { cursor, intervalMs, signal })];
  for (const wait of waits) wait.catch(() => {}); // the other one has come first
  try {
    await Promise.race(waits);
  } finally {
    over.abort();
  }
}

async function nextCursor(
  changes: Changes,
  { cursor, intervalMs, signal }: {
    readonly cursor: string;
    readonly intervalMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  let tookMs = 0;
  while (true) {
    await pause(Math.max(intervalMs, tookMs * CURSOR_SHARE), signal);
    const began = performance.now();
    if ((await changes.cursor()).key !== cursor) return;
    tookMs = performance.now() - began;
  }
}
