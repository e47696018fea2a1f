/** Words of a command line, as Python and a shell have them. */

import { expect } from "expect";
import { IN_SHELL, IN_SHLEX, splitWords } from "../../src/core/texts.ts";

Deno.test("splitWords() with the escapes of shlex splits as shlex.split() does", () => {
  // each as Python 3.11 gives it
  const splits: [string, string[]][] = [
    ["", []],
    ["  a\tb\r\nc ", ["a", "b", "c"]],
    [`a"b c"'d e'f`, ["ab cd ef"]],
    [`'' "" a''`, ["", "", "a"]],
    [`"a\\b\\"c\\\\d\\$"`, ['a\\b"c\\d\\$']],
    [`'a\\b'`, ["a\\b"]],
    [`a\\ b\\\nc`, ["a b\nc"]],
    ["a #b ;c", ["a", "#b", ";c"]],
    ["ä\u00a0b", ["ä\u00a0b"]],
  ];
  for (const [command, words] of splits) expect(splitWords(command, IN_SHLEX)).toEqual(words);
  for (const open of [`a "b`, "a 'b", `"a\\"`]) {
    expect(() => splitWords(open, IN_SHLEX)).toThrow("No closing quotation");
  }
  expect(() => splitWords("a\\", IN_SHLEX)).toThrow("No escaped character");
});

Deno.test("splitWords() with the escapes of a shell also takes those of $ and the backquote", () => {
  const line = '"a\\$b \\`c\\` \\d"';
  expect(splitWords(line, IN_SHELL)).toEqual(["a$b `c` \\d"]);
  expect(splitWords(line, IN_SHLEX)).toEqual(["a\\$b \\`c\\` \\d"]);
});
