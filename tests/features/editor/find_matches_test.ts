/** findMatches() finds what the engine finds, in a time that does not depend on what the bytes are. */

import { expect } from "expect";
import * as fc from "fast-check";
import { findMatches } from "../../../src/features/editor/find_matches.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function find(text: string, wanted: string, limit = 1_000_000): number[] | undefined {
  const found = findMatches(encode(text), encode(wanted), { limit, checkStop() {} });
  return found && [...found];
}

/** As `String.split` would find them. */
function expected(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    places.push(at);
  }
  return places;
}

Deno.test("findMatches() finds every occurrence from left to right without overlap", () => {
  const letters = fc.constantFrom("a", "b");
  const repeated = fc.tuple(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), fc.nat(20))
    .map(([part, times]) => part.repeat(times + 1));
  const text = fc.array(repeated, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, repeated, (text, wanted) => {
      expect(find(text, wanted)).toEqual(expected(text, wanted));
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("findMatches() finds what lies across the stretches that it searches", () => {
  const wanted = "needle-that-is-longer-than-sixteen-bytes";
  for (const length of [8, wanted.length]) {
    const needle = wanted.slice(0, length);
    for (let shift = -length - 1; shift <= 1; shift++) {
      const before = 4 * 1024 * 1024 + shift;
      expect(find("x".repeat(before) + needle + "x", needle)).toEqual([before]);
    }
  }
});

Deno.test("findMatches() says when there are too many, and stops when nobody waits", () => {
  expect(find("a".repeat(11), "a", 10)).toBeUndefined();
  expect(find("a".repeat(10), "a", 10)).toHaveLength(10);
  const stop = () => {
    throw new Error("stopped");
  };
  for (const wanted of ["b", "b".repeat(20)]) {
    expect(() => findMatches(encode("a"), encode(wanted), { limit: 1, checkStop: stop }))
      .toThrow("stopped");
  }
});

Deno.test("findMatches() takes the same few steps for bytes that nearly match everywhere", () => {
  const half = "x".repeat(100_000);
  const bytes = encode("x".repeat(1_000_000));
  // a search that begins anew at each place would take a hundred thousand million comparisons
  for (const wanted of [`${half}y${half}`, `${half}${half}y`, `y${half}`, "xy".repeat(50_000)]) {
    expect(findMatches(bytes, encode(wanted), { limit: 1, checkStop() {} })).toHaveLength(0);
  }
});
