/** Reads real keymaps with libxkbcommon, and checks each stroke by what that makes of it. */

import { expect } from "expect";
import { codePointOfKeysym, keysymOfCodePoint } from "../../../../../src/platform/keys.ts";
import {
  compileKeymap,
  type Keymap,
  openKeymap,
} from "../../../../../src/platform/linux/wayland/keymap/keymap.ts";
import {
  isOurKeymap,
  ScratchKeys,
} from "../../../../../src/platform/linux/wayland/keymap/scratch_keys.ts";
import { testIf } from "../../../../support/test_if.ts";
import { missingKeymaps } from "./support.ts";

const ASCII = Array.from({ length: 95 }, (_, index) => 0x20 + index);
const RETURN = 0xff0d;
const KP_7 = 0xffb7;
const XF86_LAUNCH_5 = 0x1008ff45;

const missing = missingKeymaps();
const test = testIf(missing === "", missing);

test("each ASCII character is on the main block of the US layout, where programs expect it", () => {
  const keymap = openKeymap({ layouts: "us" });
  expect(madeBy(keymap, ASCII)).toEqual(ASCII);
  for (const keysym of ASCII) {
    const { keycode, modifiers } = keymap.keyFor(keysym)!;
    expect(keycode).toBeLessThanOrEqual(57);
    expect(modifiers).toBeLessThanOrEqual(1);
  }
  expect(keymap.keyFor(toKeysym("<")))
    .toEqual({ keycode: 51, modifiers: 1, locked: 0, group: 0 });
  expect(keymap.keyFor(RETURN)?.keycode).toBe(28);
});

test("a German layout has its own characters, some of them with AltGr", () => {
  const keymap = openKeymap({ layouts: "de" });
  const keysyms = Array.from("äöüÄÖÜß@€{[]}\\|<>yzYZ", toKeysym);
  expect(madeBy(keymap, keysyms)).toEqual(keysyms);
  const { modifiers } = keymap.keyFor(toKeysym("@"))!;
  expect(keymap.keysFor(modifiers)).toHaveLength(1);
});

test("each layout of several is searched, the first one first", () => {
  const keymap = openKeymap({ layouts: "us,ru" });
  expect(keymap.keyFor(toKeysym("a"))).toMatchObject({ keycode: 30, group: 0 });
  expect(keymap.keyFor(toKeysym("ф"))).toMatchObject({ keycode: 30, group: 1 });
  expect(keymap.keyFor(toKeysym("ф"), 0)).toBeUndefined();
  const keysyms = Array.from("Привет, world!", toKeysym);
  expect(madeBy(keymap, keysyms)).toEqual(keysyms);
});

test("digits of the keypad need Num Lock, which no key holds down", () => {
  const keymap = openKeymap({ layouts: "us" });
  expect(keymap.keyFor(KP_7)).toMatchObject({ keycode: 71, locked: keymap.numLockMask });
  expect(keymap.numLockMask).not.toBe(0);
});

test("what a modifier key does is known", () => {
  const keymap = openKeymap({ layouts: "us" });
  expect(keymap.modifiersOf(29)).toEqual({ held: 4, locked: 0 }); // Control
  expect(keymap.modifiersOf(58)).toEqual({ held: 0, locked: 2 }); // Caps Lock
  expect(keymap.modifiersOf(30)).toEqual({ held: 0, locked: 0 });
});

test("a keymap that cannot be read is an error", () => {
  expect(() => openKeymap("xkb_keymap {")).toThrow("the keymap cannot be read");
  expect(() => openKeymap({ layouts: "atlantis" })).toThrow("no such keyboard layout");
});

for (const layouts of ["us", "de", "us,ru", "jp", "gr"]) {
  test(`spare keys carry any character beside the layout "${layouts}"`, () => {
    const spare = new ScratchKeys(openKeymap({ layouts }));
    expect(spare.capacity).toBeGreaterThan(100);
    const keysyms = manySymbols(spare.capacity);
    expect(spare.remap(keysyms, new Set())).toBe(false);
    const keymap = openKeymap(spare.keymap);
    expect(isOurKeymap(keymap.text)).toBe(true);
    expect(isOurKeymap(spare.base.text)).toBe(false);
    expect(madeWith(spare, keysyms)).toEqual(keysyms);
    const onLayout = ASCII.filter((keysym) => spare.base.keyFor(keysym));
    expect(onLayout.length).toBeGreaterThan(30);
    expect(madeWith(spare, onLayout)).toEqual(onLayout);
  });
}

test("a symbol that is used again keeps its key; the one used longest ago gives way", () => {
  const spare = new ScratchKeys(openKeymap({ layouts: "us" }));
  const keysyms = manySymbols(spare.capacity);
  spare.remap(keysyms, new Set());
  const first = spare.find(keysyms[0]!); // used now
  expect(spare.remap([toKeysym("é"), keysyms[1]!], new Set([keysyms[2]!]))).toBe(true);
  expect(spare.find(keysyms[0]!)).toEqual(first);
  expect(spare.find(keysyms[1]!)).toBeDefined();
  expect(spare.find(keysyms[2]!)).toBeDefined();
  expect(spare.find(keysyms[3]!)).toBeUndefined();
  expect(() => spare.remap([...keysyms, toKeysym("é")], new Set())).toThrow(RangeError);
});

test("a symbol that needs a key without a modifier gets one, and others keep theirs", () => {
  const spare = new ScratchKeys(openKeymap({ layouts: "us" }));
  const keysyms = manySymbols(spare.capacity);
  spare.remap(keysyms, new Set());
  const last = keysyms.at(-1)!;
  expect(spare.find(last)?.modifiers).not.toBe(0);
  expect(spare.findPlain(last)).toBeUndefined();
  const wanted = [last, toKeysym("é")];
  expect(spare.remap(wanted, new Set([keysyms[0]!]), new Set(wanted))).toBe(true);
  expect(wanted.map((keysym) => spare.findPlain(keysym)?.modifiers)).toEqual([0, 0]);
  const others = [keysyms[0]!, ...keysyms.slice(3)];
  expect(madeWith(spare, others)).toEqual(others);
  expect(spare.findPlain(toKeysym("?"))).toEqual(spare.base.keyFor(toKeysym("?"))); // the layout's
});

test("a key that gave way to a character can be lent a key itself", () => {
  const spare = new ScratchKeys(openKeymap({ layouts: "us" }));
  expect(spare.find(XF86_LAUNCH_5)?.keycode).toBe(184);
  spare.remap(manySymbols(2), new Set());
  expect(spare.find(XF86_LAUNCH_5)).toBeUndefined();
  spare.remap([XF86_LAUNCH_5], new Set());
  expect(madeWith(spare, [XF86_LAUNCH_5])).toEqual([XF86_LAUNCH_5]);
});

function manySymbols(count: number): number[] {
  return Array.from(
    { length: count },
    (_, index) => 0x1000000 + (index % 2 ? 0x1f600 : 0x4e00) + index,
  );
}

/** What libxkbcommon makes of the strokes for keysyms. */
function madeBy(keymap: Keymap, keysyms: readonly number[]): number[] {
  return make(keymap.text, keysyms.map((keysym) => keymap.keyFor(keysym)));
}

function madeWith(spare: ScratchKeys, keysyms: readonly number[]): number[] {
  return make(spare.keymap, keysyms.map((keysym) => spare.find(keysym)));
}

function make(text: string, strokes: readonly ReturnType<Keymap["keyFor"]>[]): number[] {
  using compiled = compileKeymap(text);
  return strokes.map((stroke) => {
    compiled.state.set(stroke!);
    const keysym = compiled.state.symbol(stroke!.keycode);
    const codePoint = codePointOfKeysym(keysym);
    return codePoint === undefined ? keysym : keysymOfCodePoint(codePoint);
  });
}

function toKeysym(character: string): number {
  return keysymOfCodePoint(character.codePointAt(0)!);
}
