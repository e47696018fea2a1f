/** The key names of the interface. */

import { expect } from "expect";
import {
  codePointOfKeysym,
  findKey,
  keysymName,
  keysymOfCodePoint,
  nearestKeyNames,
} from "../../src/platform/keys.ts";
import { WORDS } from "../../src/platform/key_names.ts";
import { findMacKey } from "../../src/platform/macos/mac_keys.ts";
import { findVirtualKey, VK } from "../../src/platform/windows/keyboard.ts";

/** The words that the interface promises, written out by hand, with X.Org's numbers. */
const PROMISED: Readonly<Record<string, number>> = {
  enter: 0xff0d,
  return: 0xff0d,
  esc: 0xff1b,
  escape: 0xff1b,
  tab: 0xff09,
  space: 0x20,
  backspace: 0xff08,
  delete: 0xffff,
  del: 0xffff,
  insert: 0xff63,
  home: 0xff50,
  end: 0xff57,
  pageup: 0xff55,
  pgup: 0xff55,
  pagedown: 0xff56,
  pgdn: 0xff56,
  up: 0xff52,
  down: 0xff54,
  left: 0xff51,
  right: 0xff53,
  ctrl: 0xffe3,
  control: 0xffe3,
  ctrlleft: 0xffe3,
  ctrlright: 0xffe4,
  shift: 0xffe1,
  shiftleft: 0xffe1,
  shiftright: 0xffe2,
  alt: 0xffe9,
  altleft: 0xffe9,
  altright: 0xffea,
  altgr: 0xfe03,
  win: 0xffeb,
  winleft: 0xffeb,
  winright: 0xffec,
  super: 0xffeb,
  command: 0xffeb,
  option: 0xffe9,
  meta: 0xffeb,
  capslock: 0xffe5,
  numlock: 0xff7f,
  scrolllock: 0xff14,
  printscreen: 0xff61,
  prtsc: 0xff61,
  pause: 0xff13,
  break: 0xff6b,
  menu: 0xff67,
  apps: 0xff67,
  volumeup: 0x1008ff13,
  volumedown: 0x1008ff11,
  volumemute: 0x1008ff12,
  playpause: 0x1008ff14,
  nexttrack: 0x1008ff17,
  prevtrack: 0x1008ff16,
  add: 0xffab,
  subtract: 0xffad,
  multiply: 0xffaa,
  divide: 0xffaf,
  decimal: 0xffae,
  separator: 0xffac,
  ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`f${i + 1}`, 0xffbe + i])),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`num${i}`, 0xffb0 + i])),
};

Deno.test("findKey() knows every promised word, in any case", () => {
  for (const [word, keysym] of Object.entries(PROMISED)) {
    const capital = word[0]!.toUpperCase() + word.slice(1);
    for (const name of [word, word.toUpperCase(), capital]) {
      expect({ name, keysym: findKey(name)?.keysym }).toEqual({ name, keysym });
    }
  }
});

Deno.test("findKey() finds a keysym for every word of the table", () => {
  const unknown = Object.keys(WORDS).filter((word) => findKey(word) === undefined);
  expect(unknown).toEqual([]);
});

Deno.test("findKey() takes keysym names, characters and unique names in any case", () => {
  const table: Record<string, number | undefined> = {
    Return: 0xff0d,
    Page_Down: 0xff56,
    page_down: 0xff56,
    KP_0: 0xffb0,
    kp_enter: 0xff8d,
    Aacute: 0xc1,
    aacute: 0xe1,
    AACUTE: undefined, // fits two names
    XF86AudioPlay: 0x1008ff14,
    xf86audioplay: 0x1008ff14,
    EuroSign: 0x20ac,
    a: 0x61,
    A: 0x41,
    "+": 0x2b,
    " ": 0x20,
    é: 0xe9,
    "ÿ": 0xff,
    "€": 0x010020ac,
    漢: 0x01006f22,
    "😀": 0x0101f600,
    "": undefined,
    ab: undefined,
    "\n": 0xff0d,
    "\t": 0xff09,
    "\u0007": undefined,
    "\u007f": undefined,
    "\ud83d": undefined,
    "e\u0301": undefined,
    constructor: undefined,
    __proto__: undefined,
    toString: undefined,
  };
  for (const name of Object.keys(table)) {
    expect({ name, keysym: findKey(name)?.keysym }).toEqual({ name, keysym: table[name] });
  }
});

/** Names of `KeyboardEvent.key` and `.code`, of X and of pynput -> X's own names. */
const SAME: Readonly<Record<string, string>> = {
  ArrowUp: "Up",
  arrow_left: "Left",
  AltGraph: "ISO_Level3_Shift",
  alt_gr: "ISO_Level3_Shift",
  ControlLeft: "Control_L",
  ControlRight: "Control_R",
  ctrl_r: "Control_R",
  MetaLeft: "Super_L",
  MetaRight: "Super_R",
  Meta_L: "Meta_L",
  OSRight: "Super_R",
  ContextMenu: "Menu",
  Spacebar: "space",
  KeyA: "a",
  Digit7: "7",
  Quote: "apostrophe",
  Backquote: "grave",
  BracketLeft: "bracketleft",
  Numpad7: "KP_7",
  NumpadAdd: "KP_Add",
  NumpadEnter: "KP_Enter",
  NumpadEqual: "KP_Equal",
  AudioVolumeUp: "XF86AudioRaiseVolume",
  MediaTrackNext: "XF86AudioNext",
  Lang1: "Hangul",
  // X's own names keep their meaning
  leftarrow: "leftarrow",
  Break: "Break",
  KP_Left: "KP_Left",
};

Deno.test("findKey() takes the names of the DOM, with or without underscores, beside X's own", () => {
  for (const [name, meant] of Object.entries(SAME)) {
    const key = findKey(name)?.keysym;
    expect({ name, key }).toEqual({ name, key: findKey(meant)!.keysym });
  }
  expect(["KeyAB", "Key", "Digit10", "Arrow", "Numpad10"].map(findKey))
    .toEqual(Array(5).fill(undefined));
});

/**
 * `KeyboardEvent.key` (UI Events, "Named Key Attribute Values") and `.code` (UI Events, "code Attribute Values") of
 * keys that X has, beside those above.
 */
const DOM_NAMES: Readonly<Record<string, string>> = {
  Control_L: "Control ControlLeft",
  Control_R: "ControlRight",
  Shift_L: "Shift ShiftLeft",
  Shift_R: "ShiftRight",
  Alt_L: "Alt AltLeft",
  Alt_R: "AltRight",
  ISO_Level3_Shift: "AltGraph",
  Super_L: "Meta MetaLeft Super OS OSLeft",
  Super_R: "MetaRight OSRight",
  Hyper_L: "Hyper",
  XF86Fn: "Fn",
  Caps_Lock: "CapsLock",
  Num_Lock: "NumLock",
  Scroll_Lock: "ScrollLock",
  Return: "Enter",
  Tab: "Tab",
  space: "Space",
  BackSpace: "Backspace",
  Clear: "Clear NumpadClear",
  Delete: "Delete",
  Insert: "Insert",
  Home: "Home",
  End: "End",
  Page_Up: "PageUp",
  Page_Down: "PageDown",
  Up: "ArrowUp",
  Down: "ArrowDown",
  Left: "ArrowLeft",
  Right: "ArrowRight",
  XF86Copy: "Copy",
  XF86Cut: "Cut",
  XF86Paste: "Paste",
  Undo: "Undo",
  Redo: "Redo Again",
  Find: "Find",
  "3270_CursorSelect": "CrSel",
  "3270_EraseEOF": "EraseEof",
  "3270_ExSelect": "ExSel",
  "3270_Attn": "Attn",
  "3270_Play": "Play",
  Cancel: "Cancel",
  Menu: "ContextMenu",
  Escape: "Escape",
  Execute: "Execute",
  Help: "Help",
  Pause: "Pause",
  Select: "Select",
  XF86ZoomIn: "ZoomIn",
  XF86ZoomOut: "ZoomOut",
  XF86MonBrightnessUp: "BrightnessUp",
  XF86MonBrightnessDown: "BrightnessDown",
  XF86Eject: "Eject",
  XF86LogOff: "LogOff",
  XF86PowerOff: "Power PowerOff",
  Print: "PrintScreen",
  XF86Hibernate: "Hibernate",
  XF86Suspend: "Suspend",
  XF86Sleep: "Standby Sleep",
  XF86WakeUp: "WakeUp",
  MultipleCandidate: "AllCandidates",
  PreviousCandidate: "PreviousCandidate",
  SingleCandidate: "SingleCandidate",
  Codeinput: "CodeInput",
  Multi_key: "Compose",
  Henkan_Mode: "Convert",
  Muhenkan: "NonConvert",
  Mode_switch: "ModeChange",
  ISO_First_Group: "GroupFirst",
  ISO_Last_Group: "GroupLast",
  ISO_Next_Group: "GroupNext",
  ISO_Prev_Group: "GroupPrevious",
  Hangul: "HangulMode Lang1",
  Hangul_Hanja: "HanjaMode Lang2",
  Hangul_Jeonja: "JunjaMode",
  Eisu_toggle: "Eisu Alphanumeric",
  Hankaku: "Hankaku",
  Zenkaku: "Zenkaku",
  Zenkaku_Hankaku: "ZenkakuHankaku Lang5",
  Hiragana: "Hiragana Lang4",
  Katakana: "Katakana Lang3",
  Hiragana_Katakana: "HiraganaKatakana",
  Romaji: "Romaji",
  Kana_Shift: "KanaMode",
  Kanji: "KanjiMode",
  XF86ChannelUp: "ChannelUp",
  XF86ChannelDown: "ChannelDown",
  XF86AudioPlay: "MediaPlay MediaPlayPause",
  XF86AudioPause: "MediaPause",
  XF86AudioRecord: "MediaRecord",
  XF86AudioRewind: "MediaRewind",
  XF86AudioForward: "MediaFastForward",
  XF86AudioStop: "MediaStop",
  XF86AudioNext: "MediaTrackNext",
  XF86AudioPrev: "MediaTrackPrevious",
  XF86AudioRaiseVolume: "AudioVolumeUp VolumeUp",
  XF86AudioLowerVolume: "AudioVolumeDown VolumeDown",
  XF86AudioMute: "AudioVolumeMute VolumeMute",
  XF86AudioMicMute: "MicrophoneVolumeMute MicrophoneMuteToggle",
  XF86Close: "Close",
  XF86New: "New",
  XF86Open: "Open",
  XF86Save: "Save",
  XF86Spell: "SpellCheck",
  XF86Mail: "LaunchMail",
  XF86MailForward: "MailForward",
  XF86Reply: "MailReply",
  XF86Send: "MailSend",
  XF86Launch1: "LaunchApplication1 LaunchApp1",
  XF86Launch2: "LaunchApplication2 LaunchApp2",
  XF86Assistant: "LaunchAssistant",
  XF86Calendar: "LaunchCalendar",
  XF86Addressbook: "LaunchContacts",
  XF86ControlPanel: "LaunchControlPanel",
  XF86AudioMedia: "LaunchMediaPlayer MediaSelect",
  XF86Music: "LaunchMusicPlayer",
  XF86Phone: "LaunchPhone",
  XF86ScreenSaver: "LaunchScreenSaver",
  XF86Excel: "LaunchSpreadsheet",
  XF86WWW: "LaunchWebBrowser",
  XF86WebCam: "LaunchWebCam",
  XF86Word: "LaunchWordProcessor",
  XF86Taskmanager: "SelectTask",
  XF86Back: "BrowserBack",
  XF86Forward: "BrowserForward",
  XF86Refresh: "BrowserRefresh",
  XF86Stop: "BrowserStop",
  XF86Search: "BrowserSearch",
  XF86Favorites: "BrowserFavorites",
  XF86HomePage: "BrowserHome",
  backslash: "Backslash IntlRo",
  yen: "IntlYen",
  KP_Multiply: "NumpadMultiply NumpadStar",
  KP_Separator: "NumpadComma",
};

Deno.test("findKey() takes every name that the DOM has for a key of X", () => {
  for (const [meant, names] of Object.entries(DOM_NAMES)) {
    const keysym = findKey(meant)!.keysym;
    for (const name of names.split(" ")) {
      expect({ name, keysym: findKey(name)?.keysym }).toEqual({ name, keysym });
    }
  }
});

Deno.test("Meta is the key with the system's sign on Windows and macOS, and Fn is a key of macOS", () => {
  for (const name of ["Meta", "meta", "MetaLeft", "super", "win", "cmd"]) {
    const key = findKey(name)!;
    expect([name, findVirtualKey(key.keysym)?.vk]).toEqual([name, VK.LWIN]);
    expect([name, findMacKey(key)]).toEqual([name, { kind: "modifier", modifier: "cmd" }]);
  }
  expect(findMacKey(findKey("Fn")!)).toEqual({ kind: "modifier", modifier: "fn" });
});

Deno.test("findKey() keeps the name as it was asked for", () => {
  expect(findKey("CtrlLeft")).toEqual({ name: "CtrlLeft", keysym: 0xffe3 });
});

Deno.test("nearestKeyNames() proposes what was probably meant", () => {
  const table = { entr: "enter", ctlr: "ctrl", "page-down": "pagedown", Retrun: "return" };
  for (const [name, meant] of Object.entries(table)) {
    expect(nearestKeyNames(name).map((near) => near.toLowerCase())).toContain(meant);
  }
});

Deno.test("nearestKeyNames() proposes names that can be written, and only near ones", () => {
  for (const name of ["q\t", "\x01", "\b", "zz", "hello world", "漢字", "\t\t", ""]) {
    for (const near of nearestKeyNames(name)) expect(near).toMatch(/^[!-~]{2,}$/);
  }
  expect(nearestKeyNames("hello world")).toEqual([]);
  expect(nearestKeyNames("漢字")).toEqual([]);
  expect(nearestKeyNames("entr")[0]).toBe("enter");
  expect(nearestKeyNames("f99")[0]).toMatch(/^f\d+$/);
});

Deno.test("keysyms and characters belong together, both ways", () => {
  for (const character of "a~ éÿ€ж漢😀") {
    const codePoint = character.codePointAt(0)!;
    expect(codePointOfKeysym(keysymOfCodePoint(codePoint))).toBe(codePoint);
  }
  expect(codePointOfKeysym(0x20ac)).toBe(0x20ac); // EuroSign
  expect(codePointOfKeysym(0x06c1)).toBe(0x0430); // Cyrillic_a
  expect(codePointOfKeysym(0xff0d)).toBe(undefined);
  expect(keysymName(0xff0d)).toBe("Return");
});
