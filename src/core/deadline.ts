/**
 * Waits with an end: after a time, or when a signal aborts. Leaves no timer and no listener behind.
 */

/** The abort reason of a timeout. */
export const TIME_IS_UP = new DOMException("The time is up", "TimeoutError");

/** The abort reason where the caller has left. */
export const CALLER_LEFT = new DOMException("The client has disconnected", "AbortError");

/** Creates a signal that aborts after a time, or together with another one. */
export function abortAfter(
  ms: number,
  other: AbortSignal,
  reason: unknown = TIME_IS_UP,
): Disposable & { readonly signal: AbortSignal } {
  const { controller, leave } = follow(other);
  const timer = setTimeout(() => controller.abort(reason), Math.max(0, Math.ceil(ms)));
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      leave();
    },
  };
}

/** A controller that also aborts with another signal, until `leave()` is called. */
function follow(other: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(other.reason);
  other.addEventListener("abort", abort);
  if (other.aborted) abort();
  return { controller, leave: () => other.removeEventListener("abort", abort) };
}

/**
 * Waits `ms` milliseconds, and at least one turn of the event loop.
 * @throws the signal's reason as soon as it aborts
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await within(new Promise(() => {}), Math.max(0, ms), signal); // it never settles
  signal?.throwIfAborted();
}

interface Polling {
  /** The pause between two checks, in milliseconds; one that doubles from `first` up to `most`. */
  readonly everyMs: number | { readonly first: number; readonly most: number };
  /** After so many milliseconds nothing is awaited any more. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Checks at least once, and then repeatedly. Resolves with what `check` gives, and with
 * `undefined` when the time is up.
 * @throws the error of `check`; the signal's reason
 */
export async function poll<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  { everyMs, timeoutMs, signal }: Polling,
): Promise<T | undefined> {
  const { first, most } = typeof everyMs === "number" ? { first: everyMs, most: everyMs } : everyMs;
  const end = performance.now() + timeoutMs;
  for (let ms = first;; ms = Math.min(most, 2 * ms)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() >= end) return undefined;
    await pause(ms, signal);
  }
}

/**
 * Resolves with the result of `work`.
 * @throws the error of `work`; the signal's reason as soon as that aborts
 */
export async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {}); // it may abort after the race has ended
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const result = await Promise.race([aborted, work]);
    signal.throwIfAborted(); // both may happen in the same turn
    return result;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Resolves with the result of `work`.
 * @throws the error of `work`; that of `late` after `ms` milliseconds
 */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  if (!await within(work, ms)) throw late();
  return await work;
}

/** Whether `work` settled within `ms` milliseconds, and before the signal aborted. */
export async function within(
  work: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const giveUp = () => resolve(false);
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

/** A signal that aborts with another one, and at the end: what waits for it is then let go. */
export function followUntil(other: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const { controller, leave } = follow(other);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      leave();
      controller.abort();
    },
  };
}
