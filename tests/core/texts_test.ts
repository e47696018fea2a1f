/** Texts are read and quoted as programs mean them. */

import { expect } from "expect";
import { lastLine, quoteForShell, tryParseJson } from "../../src/core/texts.ts";
import { unless } from "../support/test_if.ts";

Deno.test("lastLine() passes over empty lines at the end", () => {
  expect(lastLine("one\n  two \n\n \n")).toBe("two");
  expect(lastLine("one")).toBe("one");
  expect(lastLine(" \n")).toBe("");
});

Deno.test({
  name: "quoteForShell() makes one word that a shell reads literally",
  ignore: unless(Deno.build.os !== "windows", "it has no POSIX shell"),
  fn: async () => {
    const words = ["it's", "", '$HOME `x` \\ "q"', "a\nb", "日本 🙂"];
    const script = `printf '%s\\0' ${words.map(quoteForShell).join(" ")}`;
    const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
    expect(new TextDecoder().decode(stdout).split("\0").slice(0, -1)).toEqual(words);
  },
});

Deno.test("tryParseJson() gives the value, and nothing for a text that is no JSON", () => {
  expect(tryParseJson("[1]")).toEqual([1]);
  expect(tryParseJson("null")).toBeNull();
  expect(tryParseJson("{")).toBeUndefined();
});
