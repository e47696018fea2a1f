/** A search by prefixes finds what a simple search of the whole does. */

import { expect } from "expect";
import { ByteSearch, computeBorders } from "../../src/core/search.ts";

Deno.test("ByteSearch finds what begins in one piece and ends in another, as a search of the whole does", () => {
  const random = (most: number) => Math.floor(Math.random() * most);
  for (let i = 0; i < 2_000; i++) {
    const whole = Uint8Array.from({ length: random(60) }, () => 97 + random(2));
    const wanted = Uint8Array.from({ length: 1 + random(6) }, () => 97 + random(2));
    const cut = random(whole.length + 1);
    const search = new ByteSearch(wanted);
    const found = [whole.subarray(0, cut), whole.subarray(cut)]
      .some((piece) => search.findEnd(piece) >= 0);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    expect([text(whole), text(wanted), found])
      .toEqual([text(whole), text(wanted), text(whole).includes(text(wanted))]);
  }
});

Deno.test("ByteSearch.findEnd() goes on behind a match, with overlaps or after restart() without", () => {
  const bytes = new TextEncoder().encode("aaaa");
  const ends = (restarts: boolean) => {
    const search = new ByteSearch(bytes.subarray(0, 2));
    const found: number[] = [];
    for (let at = search.findEnd(bytes); at >= 0; at = search.findEnd(bytes, at)) {
      found.push(at);
      if (restarts) search.restart();
    }
    return found;
  };
  expect(ends(false)).toEqual([2, 3, 4]);
  expect(ends(true)).toEqual([2, 4]);
});

Deno.test("ByteSearch.findEnd() reads nothing behind its end", () => {
  const search = new ByteSearch(Uint8Array.of(1, 2));
  expect(search.findEnd(Uint8Array.of(1, 2), 0, 1)).toBe(-1);
  expect(search.findEnd(Uint8Array.of(2))).toBe(1);
});

Deno.test("computeBorders() gives the longest border of each beginning", () => {
  expect([...computeBorders(new TextEncoder().encode("abacababd"))])
    .toEqual([0, 0, 1, 0, 1, 2, 3, 2, 0]);
});
