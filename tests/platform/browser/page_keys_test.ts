/** The keys of pages have the names that the keyboard operations take, and are what those mean. */

import { expect } from "expect";
import { findPageKey, keyDown, modifierBits } from "../../../src/platform/browser/keys/keyboard.ts";
import { WORDS } from "../../../src/platform/key_names.ts";
import { findKey } from "../../../src/platform/keys.ts";

/** `KeyboardEvent.code` of the keys of a keyboard with 104 keys (W3C UI Events), and of some others. */
const CODES: readonly string[] = [
  ...[..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `Key${letter}`),
  ...Array.from({ length: 10 }, (_, i) => `Digit${i}`),
  ...Array.from({ length: 10 }, (_, i) => `Numpad${i}`),
  ...Array.from({ length: 24 }, (_, i) => `F${i + 1}`),
  ...["Backquote", "Minus", "Equal", "BracketLeft", "BracketRight", "Backslash", "Semicolon"],
  ...["Quote", "Comma", "Period", "Slash", "Space", "Enter", "Tab", "Backspace", "Escape"],
  ...["ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight"],
  ...["MetaLeft", "MetaRight", "ContextMenu", "CapsLock", "NumLock", "ScrollLock", "Pause"],
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"],
  ...["Insert", "Delete", "PrintScreen", "NumpadEnter", "NumpadAdd", "NumpadSubtract"],
  ...["NumpadMultiply", "NumpadDivide", "NumpadDecimal", "NumpadComma", "NumpadEqual"],
  ...["Help", "AudioVolumeUp", "AudioVolumeDown", "AudioVolumeMute", "MediaPlayPause"],
  ...["MediaStop", "MediaTrackNext", "MediaTrackPrevious", "MediaSelect", "BrowserBack"],
  ...["BrowserForward", "BrowserRefresh", "BrowserStop", "BrowserSearch", "BrowserFavorites"],
  ...["BrowserHome", "LaunchMail", "LaunchApp1", "LaunchApp2", "Sleep", "Convert", "NonConvert"],
  ...["KanaMode", "Lang1", "Lang2", "IntlBackslash"],
];

Deno.test("a code of a keyboard with 104 keys is that key in pages, and one of the keyboard operations", () => {
  for (const code of CODES) {
    const found = { inPage: findPageKey(code)?.code, onDisplay: findKey(code) !== undefined };
    expect({ code, ...found }).toEqual({ code, inPage: code, onDisplay: true });
  }
});

Deno.test("what a key is called in pages is a name that both take", () => {
  for (const code of CODES) {
    const { key } = findPageKey(code)!;
    expect({ key, inPage: findPageKey(key)?.key, onDisplay: findKey(key) !== undefined })
      .toEqual({ key, inPage: key, onDisplay: true });
  }
});

Deno.test("every word of the keyboard operations is a key in pages, in any case", () => {
  for (const word of Object.keys(WORDS)) {
    const key = findPageKey(word);
    expect({ word, known: key !== undefined }).toEqual({ word, known: true });
    expect(findPageKey(word.toUpperCase())).toEqual(key);
  }
});

/** Name -> key, code and, where there are several, where it is. */
const MEANT: Readonly<Record<string, readonly unknown[]>> = {
  Return: ["Enter", "Enter", undefined],
  page_up: ["PageUp", "PageUp", undefined],
  Prior: ["PageUp", "PageUp", undefined],
  arrow_left: ["ArrowLeft", "ArrowLeft", undefined],
  Control_L: ["Control", "ControlLeft", 1],
  ctrlright: ["Control", "ControlRight", 2],
  Shift_R: ["Shift", "ShiftRight", 2],
  cmd: ["Meta", "MetaLeft", 1],
  meta: ["Meta", "MetaLeft", 1],
  altgr: ["AltGraph", "AltRight", 2],
  KP_Enter: ["Enter", "NumpadEnter", 3],
  num5: ["5", "Numpad5", 3],
  KP_Left: ["ArrowLeft", "Numpad4", 3],
  KP_Home: ["Home", "Numpad7", 3],
  KP_Prior: ["PageUp", "Numpad9", 3],
  KP_Page_Down: ["PageDown", "Numpad3", 3],
  KP_Delete: ["Delete", "NumpadDecimal", 3],
  KP_Begin: ["Clear", "Numpad5", 3],
  Pause: ["Pause", "Pause", undefined],
  Break: ["Cancel", "Pause", undefined],
  Cancel: ["Cancel", "Pause", undefined],
  less: ["<", "Comma", undefined],
  IntlBackslash: ["<", "IntlBackslash", undefined],
  minus: ["-", "Minus", undefined],
  plus: ["+", "Equal", undefined],
  KeyQ: ["q", "KeyQ", undefined],
  Q: ["Q", "KeyQ", undefined],
  " ": [" ", "Space", undefined],
  "_": ["_", "Minus", undefined],
};

Deno.test("names of X, of the DOM and of PyAutoGUI are keys in pages", () => {
  for (const [name, meant] of Object.entries(MEANT)) {
    const key = findPageKey(name);
    expect({ name, key: [key?.key, key?.code, key?.location] }).toEqual({ name, key: meant });
  }
});

/** Without and with Shift, by the rows of a US keyboard. */
const PLAIN = "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./";
const SHIFTED = '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?';
const [ALT, CONTROL, META, SHIFT] = [1, 2, 4, 8];

Deno.test("a key with Shift is the upper sign of its key, by whichever of both signs it is named", () => {
  for (const [index, plain] of [...PLAIN].entries()) {
    const shifted = SHIFTED[index]!;
    const lower = findPageKey(plain)!;
    const pressed = keyDown(lower, SHIFT);
    const { code, keyCode } = lower;
    expect(pressed).toEqual({
      type: "keyDown",
      modifiers: SHIFT,
      key: shifted,
      code,
      windowsVirtualKeyCode: keyCode,
      text: shifted,
      unmodifiedText: shifted,
    });
    expect(keyDown(findPageKey(shifted)!, SHIFT)).toEqual(pressed);
    expect(keyDown(findPageKey(shifted)!, 0)).toEqual(pressed);
    expect(keyDown(lower, 0)).toMatchObject({ modifiers: 0, key: plain, text: plain });
  }
});

Deno.test("a key with Ctrl, Alt or Meta types nothing, and is called as with Shift alone", () => {
  for (const [index, plain] of [...PLAIN].entries()) {
    const key = findPageKey(plain)!;
    for (const held of [CONTROL, ALT, META, CONTROL | ALT]) {
      const about = { type: "rawKeyDown", code: key.code, windowsVirtualKeyCode: key.keyCode };
      expect(keyDown(key, held)).toEqual({ ...about, modifiers: held, key: plain });
      const modifiers = held | SHIFT;
      expect(keyDown(key, modifiers)).toEqual({ ...about, modifiers, key: SHIFTED[index] });
    }
  }
});

Deno.test("Shift changes nothing of a key without a sign, nor of the space bar", () => {
  const names = ["Enter", "Tab", "Space", "F5", "ArrowLeft", "ShiftLeft", "Numpad5"];
  for (const name of names) {
    const key = findPageKey(name)!;
    expect(keyDown(key, SHIFT)).toEqual({ ...keyDown(key, 0), modifiers: SHIFT });
  }
  const intl = keyDown(findPageKey("IntlBackslash")!, SHIFT);
  expect(intl).toMatchObject({ key: ">", code: "IntlBackslash", text: ">" });
});

Deno.test("what is no key in a page is none", () => {
  for (
    const name of ["", "nokey", "F25", "constructor", "__proto__", "toString", "漢", "XF86Eject"]
  ) {
    expect({ name, key: findPageKey(name) }).toEqual({ name, key: undefined });
  }
});

Deno.test("the modifiers of clicks and drags in pages have the names of both sides", () => {
  const bits = {
    ctrl: 2,
    control: 2,
    shift: 8,
    alt: 1,
    option: 1,
    win: 4,
    super: 4,
    command: 4,
    cmd: 4,
    meta: 4,
  };
  for (const [name, bit] of Object.entries(bits)) {
    for (const side of ["", "_l", "_r", "left", "right"]) {
      expect([name + side, modifierBits([name + side])]).toEqual([name + side, bit]);
    }
  }
  expect(() => modifierBits(["a"])).toThrow("not a modifier");
});
