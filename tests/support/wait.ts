/** Waits until something becomes true, by looking again and again: tests never sleep for a fixed time. */

export interface WaitOptions {
  /** How long to wait before giving up; generous, because a busy machine is slow. */
  readonly timeoutMs?: number;
  /** What is waited for, for the message of the error. */
  readonly what?: string;
  /** Pause between two looks; 0 for what is soon over. */
  readonly everyMs?: number;
}

/**
 * Resolves with the first value of `condition` that is neither `false`, `undefined` nor `null`.
 * An error that `condition` throws counts as "not yet" and is the cause of the final error.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 20_000, what = "the condition", everyMs = 10 }: WaitOptions = {},
): Promise<Exclude<T, false | undefined | null>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  while (true) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) {
        return value as Exclude<T, false | undefined | null>;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
