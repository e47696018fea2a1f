/**
 * How much of a test runs that repeats something many times: a short part in `deno task test`, all of it in
 * `deno task test:all` and `deno task test:programs`, which say so by this variable; nothing else sets it.
 */

export type Extent = "short" | "full";

export const EXTENT: Extent = Deno.env.get("TEST_EXTENT") === "full" ? "full" : "short";

/** One of two values, by how much is to run: `pick({ short: 10, full: 500 })`. */
export function pick<T>(values: Readonly<Record<Extent, T>>): T {
  return values[EXTENT];
}
