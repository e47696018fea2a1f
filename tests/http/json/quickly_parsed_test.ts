/** Which large bodies are parsed at once. */

import { expect } from "expect";
import { isQuicklyParsed } from "../../../src/http/json/quickly_parsed.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const judge = (...parts: string[]) => {
  const chunks = parts.map(encode);
  return isQuicklyParsed(chunks, chunks.reduce((sum, { length }) => sum + length, 0));
};

Deno.test("isQuicklyParsed() tells long texts from many values, and from what is too large", () => {
  const text = "x".repeat(600_000);
  expect(judge(`{"text":"${text}`, `${text}"}`)).toBe(true);
  expect(judge(`{"text":"${text}`, text, `${text}"}`)).toBe(false);
  for (const mark of ["[", "{", ",", ":"]) {
    expect(judge(mark.repeat(64 * 1024))).toBe(true);
    expect(judge(mark.repeat(40_000), mark.repeat(40_000))).toBe(false);
  }
});
