/** Times after which something is given up. */

/** The reason of a signal whose time is up. */
export const TIME_IS_UP = new DOMException("The time is up", "TimeoutError");

/** Aborts after a time, or with another signal. */
export function abortAfter(
  ms: number,
  other: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(TIME_IS_UP), Math.max(0, Math.ceil(ms)));
  const abort = () => controller.abort(other.reason);
  other.addEventListener("abort", abort);
  if (other.aborted) abort();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      other.removeEventListener("abort", abort);
    },
  };
}

/** @throws the reason of the signal when it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }
  signal.throwIfAborted();
}
