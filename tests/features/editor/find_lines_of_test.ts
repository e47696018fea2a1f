/** findLinesOf() counts a text in a file, and names the lines in which it begins. */

import { expect } from "expect";
import * as fc from "fast-check";
import { findLinesOf } from "../../../src/features/editor/find_matches.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("findLinesOf() finds each occurrence, and the line in which it begins", () => {
  const unit = fc.constantFrom("a", "b", "\n", "ä");
  const part = fc.string({ unit, minLength: 1, maxLength: 3 });
  const text = fc.string({ unit, maxLength: 40 });
  fc.assert(fc.property(text, part, (text, part) => {
    const lines = text.split(part).slice(0, -1)
      .reduce<{ line: number; lines: number[] }>(({ line, lines }, before) => {
        const at = line + before.split("\n").length - 1;
        return { line: at + part.split("\n").length - 1, lines: [...lines, at] };
      }, { line: 1, lines: [] }).lines;
    expect(findLinesOf(encode(text), part, { limit: 100, named: 5 }))
      .toEqual({ count: lines.length, lines: lines.slice(0, 5) });
  }));
});

Deno.test("findLinesOf() says when there are too many", () => {
  const options = { limit: 2, named: 9 };
  expect(findLinesOf(encode("aaa"), "a", options)).toEqual({ count: undefined, lines: [] });
  expect(findLinesOf(encode("a\na"), "a", options)).toEqual({ count: 2, lines: [1, 2] });
});

Deno.test("findLinesOf() takes the same few steps for a text that nearly occurs everywhere", () => {
  const half = "x".repeat(100_000);
  // a search that begins anew at each place would take a hundred thousand million comparisons
  expect(findLinesOf(encode("x".repeat(1_000_000)), `${half}y${half}`, { limit: 9, named: 9 }))
    .toEqual({ count: 0, lines: [] });
});
