/** How models write keys. */

import { expect } from "expect";
import {
  domKeyName,
  keyName,
  splitCombinations,
  splitKeys,
} from "../../../src/features/agents/key_names.ts";
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

Deno.test("a combination without a plus is no key of its own", () => {
  const names = ["ctrl-l", "Ctrl l", "alt-left", "shift-left", "cmd-r", "win - r", "control-_r"];
  for (const name of names) {
    expect([keyName(name), domKeyName(name)]).toEqual([name, name]);
    expect([name, findKey(name)]).toEqual([name, undefined]);
  }
  const meant = {
    "page-down": "Page_Down",
    "Page Down": "Page_Down",
    "Alt-Gr": "altgr",
    ctrl_l: "Control_L",
  };
  for (const [name, key] of Object.entries(meant)) {
    for (const found of [keyName(name), domKeyName(name)]) {
      expect([name, findKey(found)?.keysym]).toEqual([name, findKey(key)?.keysym]);
    }
  }
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
