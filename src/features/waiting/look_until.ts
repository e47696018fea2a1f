/** Looks at what reports its changes until something is true of it. */

import { abortAfter, followUntil, pause, unlessAborted, within } from "../../core/deadline.ts";

/** Not every program reports every change: so often is looked anyway, in milliseconds. */
const LOOK_MS = 500;
/** The shortest pause between two looks, in milliseconds. */
const REST_MS = 20;
/** The first look has at least this long, in milliseconds, even where nothing is to be waited. */
const FIRST_LOOK_MS = 2_000;

export interface Looking<T> {
  /** What was found; `undefined` while it is not there. */
  readonly look: (signal: AbortSignal) => Promise<T | undefined>;
  /** Resolves at the next change. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
  /** Aborts when the time is up, or when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborts when the client disconnects. */
  readonly client: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Looks now, and after every change. Half of the time at most is spent with looks, however often
 * something changes.
 * @throws the signal's reason
 */
export async function lookUntil<T>({ look, changed, ...wait }: Looking<T>): Promise<T> {
  const { signal, client, timeoutMs } = wait;
  using first = abortAfter(Math.max(timeoutMs, FIRST_LOOK_MS), client);
  for (let until = first.signal;; until = signal) {
    using following = followUntil(signal);
    // asked for before the look: no change in between is missed
    const change = changed(following.signal);
    change.catch(() => {}); // without events, looks in regular intervals must do
    const start = performance.now();
    const found = await unlessAborted(look(until), until);
    if (found !== undefined) return found;
    const tookMs = performance.now() - start;
    await within(change.catch(() => pause(LOOK_MS, following.signal)), LOOK_MS, signal);
    await pause(Math.max(REST_MS, tookMs), signal);
  }
}
