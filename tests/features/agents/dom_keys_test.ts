/** Every name that models write for a key is the key that they mean. */

import { expect } from "expect";
import { domKeyName, domKeyNames } from "../../../src/features/agents/key_names.ts";
import { findKey, keysymName } from "../../../src/platform/keys.ts";

/** Our keysym -> the names that mean it, in browsers, Playwright, PyAutoGUI and models' answers. */
const MEANT: Readonly<Record<string, string>> = {
  Return: "Enter ENTER Return return \n",
  Escape: "Escape ESC Esc esc",
  Tab: "Tab TAB tab \t",
  space: "Space SPACE Spacebar space",
  BackSpace: "Backspace BACKSPACE backspace Back_Space",
  Delete: "Delete DELETE Del DEL",
  Insert: "Insert INSERT Ins",
  Home: "Home HOME",
  End: "End END",
  Page_Up: "PageUp PAGEUP page_up Page-Up pgup Prior",
  Page_Down: "PageDown PAGEDOWN page_down pgdn Next",
  Up: "ArrowUp ARROWUP UP up arrow_up up_arrow Up",
  Down: "ArrowDown ARROWDOWN DOWN down",
  Left: "ArrowLeft ARROWLEFT LEFT left",
  Right: "ArrowRight ARROWRIGHT RIGHT right",
  Control_L: "Control CTRL ctrl Ctl control ControlLeft ctrlleft control_l CommandOrControl",
  Control_R: "ControlRight ctrlright",
  Shift_L: "Shift SHIFT ShiftLeft shiftleft",
  Shift_R: "ShiftRight shiftright",
  Alt_L: "Alt ALT Option OPTION opt AltLeft altleft",
  Alt_R: "AltRight altright",
  ISO_Level3_Shift: "AltGraph AltGr",
  Super_L: "Meta META Cmd CMD Command Super SUPER Win WIN Windows OS MetaLeft OSLeft winleft",
  Super_R: "MetaRight OSRight winright",
  Caps_Lock: "CapsLock CAPSLOCK caps_lock",
  Num_Lock: "NumLock NUMLOCK num_lock",
  Scroll_Lock: "ScrollLock scroll_lock",
  Print: "PrintScreen PRINTSCREEN print_screen prtsc Snapshot",
  Pause: "Pause PAUSE",
  Break: "Break BREAK break",
  Menu: "ContextMenu MENU apps",
  Help: "Help",
  F1: "F1 f1",
  F12: "F12 f12",
  F24: "F24",
  KP_0: "Numpad0 num0",
  KP_9: "Numpad9",
  KP_Add: "NumpadAdd add",
  KP_Subtract: "NumpadSubtract",
  KP_Multiply: "NumpadMultiply",
  KP_Divide: "NumpadDivide",
  KP_Decimal: "NumpadDecimal",
  KP_Enter: "NumpadEnter",
  KP_Equal: "NumpadEqual",
  a: "a KeyA",
  z: "KeyZ",
  A: "A",
  "0": "0 Digit0",
  "9": "Digit9",
  slash: "/ Slash SLASH",
  backslash: "\\ Backslash BACKSLASH",
  minus: "- Minus minus dash",
  equal: "= Equal equals",
  plus: "+ Plus plus",
  grave: "` Backquote",
  apostrophe: "' Quote",
  bracketleft: "[ BracketLeft",
  bracketright: "] BracketRight",
  semicolon: "; Semicolon",
  comma: ", Comma comma",
  period: ". Period Dot",
  less: "< IntlBackslash",
  underscore: "_ underscore",
  XF86AudioRaiseVolume: "AudioVolumeUp volumeup",
  XF86AudioLowerVolume: "AudioVolumeDown",
  XF86AudioMute: "AudioVolumeMute volumemute",
  XF86AudioPlay: "MediaPlayPause playpause",
  XF86AudioNext: "MediaTrackNext nexttrack",
  XF86AudioPrev: "MediaTrackPrevious prevtrack",
  XF86Back: "BrowserBack",
  XF86Forward: "BrowserForward",
  XF86Refresh: "BrowserRefresh",
};

Deno.test("names of keys as models write them are the keys that they mean", () => {
  for (const [meant, names] of Object.entries(MEANT)) {
    for (const name of names.split(" ")) {
      const key = findKey(domKeyName(name))?.keysym;
      expect({ name, key }).toEqual({ name, key: findKey(meant)?.keysym });
    }
  }
});

Deno.test("the names of all letters, digits and function keys are keys", () => {
  const codes = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((
    letter,
  ) => [`Key${letter}`, letter.toLowerCase()])
    .concat([..."0123456789"].map((digit) => [`Digit${digit}`, digit]))
    .concat(Array.from({ length: 24 }, (_, at) => [`F${at + 1}`, `F${at + 1}`]));
  for (const [code, meant] of codes) {
    expect([code, keysymName(findKey(domKeyName(code!))!.keysym)]).toEqual([code, meant]);
  }
});

Deno.test("an entry of a list of keys may be a combination", () => {
  expect(domKeyNames(["CTRL", "SHIFT", "T"])).toEqual(["CTRL", "SHIFT", "T"]);
  expect(domKeyNames(["ctrl+shift", "ArrowUp"])).toEqual(["ctrl", "shift", "ArrowUp"]);
  expect(domKeyNames(["+"])).toEqual(["+"]);
  expect(domKeyNames(["ctrl++"])).toEqual(["ctrl", "+"]);
  expect(domKeyNames([" "])).toEqual(["space"]);
});

Deno.test("a name that nobody knows stays as it is, for the answer to name it", () => {
  expect(domKeyNames(["Hyperdrive", "constructor", ""])).toEqual(["Hyperdrive", "constructor", ""]);
});
