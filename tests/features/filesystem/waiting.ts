/** Waits for a condition, never for a time. */

/** Resolves with the first value that is not `undefined`; fails after five seconds. */
export async function waitFor<T>(look: () => T | undefined): Promise<T> {
  const end = performance.now() + 5_000;
  while (performance.now() < end) {
    const seen = look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error("what was waited for has not come");
}
