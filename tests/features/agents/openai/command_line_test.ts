/** The line that runs a program with its arguments, and outputs that are cut. */

import { expect } from "expect";
import fc from "fast-check";
import { shorten } from "../../../../src/core/texts.ts";
import { commandLine } from "../../../../src/features/agents/openai/shell_calls.ts";

Deno.test("arguments are words of the shell, quoted where they have to be", () => {
  expect(commandLine(["ls", "-l", "a b", "it's", "$X", ""], "linux"))
    .toBe(`ls -l 'a b' 'it'\\''s' '$X' ''`);
  expect(commandLine(["dir", "C:\\Program Files\\", "a&b", ""], "windows"))
    .toBe(`dir "C:\\Program Files\\\\" "a&b" ""`);
});

for (const word of ['say "hi"', "%PATH%", "wow!", "a\nb"]) {
  Deno.test(`cmd is given no ${JSON.stringify(word)}, which it would change`, () => {
    expect(() => commandLine(["echo", word], "windows")).toThrow(/cmd does not pass on/);
  });
}

Deno.test("a cut text is at most as long as was asked for, well formed, and has both ends", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  fc.assert(fc.property(text, fc.nat(250), (given, max) => {
    const cut = shorten(given, max);
    expect(cut.length).toBeLessThanOrEqual(Math.max(max, 0));
    expect(cut.isWellFormed()).toBe(true);
    if (given.length <= max) expect(cut).toBe(given);
  }));
  expect(shorten("a".repeat(50) + "b".repeat(50), 60))
    .toBe(`${"a".repeat(17)}\n[66 characters omitted]\n${"b".repeat(17)}`);
});
