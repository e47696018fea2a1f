/** What was typed is hidden where programs show it again, however it was typed. */

import { expect } from "expect";
import { TypedWords } from "../../../src/features/trail/typed_words.ts";

const cases: [what: string, typed: readonly string[], shown: string, hidden: string][] = [
  ["a word", ["marigold"], "*marigold - Editor", "*… - Editor"],
  ["another spelling", ["MariGold"], 'tab "MARIGOLD"', 'tab "…"'],
  ["what was typed in parts", ["mari", "gold"], "the marigold", "the …"],
  ["single keys", [..."marigold"], "marigold", "…"],
  ["inside a longer word", ["mari", "gold"], "xxmarigoldyy z", "… z"],
  ["a part of it", ["marigold"], "see arigol there", "see … there"],
  ["a short word", ["go it"], "go on", "… on"],
  ["but not a short one inside another", ["ago it"], "go on", "go on"],
  ["a short one in parts", ["a", "b", "c"], "abc", "…"],
  ["other letters", ["Ümläut日本語"], "ümläut日本語", "…"],
  ["what is the same", ["marigold"], "Save as", "Save as"],
];

for (const [what, typed, shown, hidden] of cases) {
  Deno.test(`hides ${what}`, () => {
    const words = new TypedWords();
    for (const text of typed) words.add(text);
    expect(words.hide(shown)).toBe(hidden);
  });
}

Deno.test("numbers and lists that are filled in are hidden, too", () => {
  const words = new TypedWords();
  words.note("browser", { ref: "e1", value: 4711 });
  words.note("browser", { ref: "e1", value: ["marigold", "tulip"] });
  words.note("accessibility", { value: "anemone" });
  for (const key of ["KeyR", "shift+o", "s", "KeyE", "s", "enter"]) words.note("keyboard", { key });
  expect(words.hide("4711 tulip anemone e1 enter roses")).toBe("… … … e1 enter …");
});

Deno.test("what was typed last stays known, and memory stays bounded", () => {
  const words = new TypedWords();
  for (let at = 0; at < 20_000; at++) words.add(`flower${at} `);
  words.add("marigold");
  expect(words.hide("flower19999 marigold")).toBe("… …");
});

Deno.test("of a long list only so much is learned as is known", () => {
  const words = new TypedWords();
  const long = ["x".repeat(16_384), "y".repeat(16_384)];
  words.note("browser", { ref: "e1", value: ["marigold ", ...long, "tulip"] });
  expect(words.hide("marigold tulip")).toBe("… tulip");
});
