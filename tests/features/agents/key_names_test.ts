/** How models write keys. */

import { expect } from "expect";
import { keyName, splitCombinations, splitKeys } from "../../../src/features/agents/key_names.ts";
import { findKey } from "../../../src/platform/keys.ts";

Deno.test("vendors' names of keys are keys that can be pressed", () => {
  const names = [
    "ARROWLEFT",
    "ArrowUp",
    "arrow_down",
    "Windows",
    "SPACEBAR",
    "Return",
    "Page_Down",
    "page-down",
  ];
  for (const name of [...names, "cmd", "CTRL", "ESC", "BackSpace", "F5", "opt"]) {
    expect([name, findKey(keyName(name)) === undefined]).toEqual([name, false]);
  }
  expect(keyName("NoSuchKey")).toBe("NoSuchKey");
});

Deno.test("a combination keeps its plus key, and several may be separated by spaces", () => {
  expect(splitKeys("ctrl+shift+t")).toEqual(["ctrl", "shift", "t"]);
  expect(splitKeys("+")).toEqual(["+"]);
  expect(splitKeys("ctrl++")).toEqual(["ctrl", "+"]);
  expect(splitCombinations("Down Down  Return")).toEqual([["Down"], ["Down"], ["Return"]]);
  expect(splitCombinations("ctrl + c")).toEqual([["ctrl", "c"]]);
  expect(splitCombinations(" ")).toEqual([["space"]]);
});

Deno.test("a name that every object has is no key", () => {
  expect(["constructor", "toString", "__proto__"].map(keyName)).toEqual([
    ...["constructor", "toString", "__proto__"],
  ]);
});
