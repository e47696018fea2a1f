/** How much of the tests with real programs runs: `PROGRAMS=full` for all, otherwise the short part. */

export type Extent = "short" | "full";

export const EXTENT: Extent = Deno.env.get("PROGRAMS") === "full" ? "full" : "short";

/** One of two values, by how much is to run: `pick({ short: 10, full: 500 })`. */
export function pick<T>(values: Readonly<Record<Extent, T>>): T {
  return values[EXTENT];
}
