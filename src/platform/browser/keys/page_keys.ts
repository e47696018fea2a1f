/** The keys that can be pressed in pages, as DOM events name them: `key`, `code` and the key code of a US keyboard. */

import { keysymNameOfWord } from "../../key_names.ts";

export interface PageKey {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** What it types; absent for keys that type nothing. */
  readonly text?: string;
  /** Whether Shift is needed for it. */
  readonly shift?: true;
  /** What it types, and is called, while Shift is held; absent where that is the same. */
  readonly shifted?: string;
  /** Where there are several of it, as in `KeyboardEvent.location`. */
  readonly location?: number;
}

const [LEFT, RIGHT] = [1, 2];
export const KEYPAD = 3;

/**
 * The keys of the keyboard operations that a page can have, by the same names: all words, the X keysyms of these
 * keys, and the characters of a US keyboard. `undefined` for others.
 */
export function findPageKey(name: string): PageKey | undefined {
  const keysymName = keysymNameOfWord(name) ?? name;
  for (const plain of [name, keysymName].map(fold)) {
    if (Object.hasOwn(NAMED, plain)) return NAMED[plain];
  }
  const plain = fold(keysymName);
  return findSign(Object.hasOwn(SIGN_NAMES, plain) ? SIGN_NAMES[plain]! : keysymName);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** By X keysym names, and a code that has no keysym of its own, in lower case and without `_`. */
const NAMED: Readonly<Record<string, PageKey>> = {
  return: named("Enter", 13, { text: "\r" }),
  tab: named("Tab", 9),
  backspace: named("Backspace", 8),
  delete: named("Delete", 46),
  escape: named("Escape", 27),
  insert: named("Insert", 45),
  home: named("Home", 36),
  end: named("End", 35),
  pageup: named("PageUp", 33),
  prior: named("PageUp", 33),
  pagedown: named("PageDown", 34),
  next: named("PageDown", 34),
  left: named("ArrowLeft", 37),
  up: named("ArrowUp", 38),
  right: named("ArrowRight", 39),
  down: named("ArrowDown", 40),
  space: named(" ", 32, { code: "Space", text: " " }),
  menu: named("ContextMenu", 93),
  capslock: named("CapsLock", 20),
  numlock: named("NumLock", 144),
  scrolllock: named("ScrollLock", 145),
  print: named("PrintScreen", 44),
  pause: named("Pause", 19),
  // what Chromium makes of Ctrl and Pause
  break: named("Cancel", 3, { code: "Pause" }),
  cancel: named("Cancel", 3, { code: "Pause" }),
  help: named("Help", 47),
  select: named("Select", 41),
  clear: named("Clear", 12),
  execute: named("Execute", 43),
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`f${i + 1}`, named(`F${i + 1}`, 112 + i)]),
  ),
  shiftl: sided("Shift", 16, LEFT),
  shiftr: sided("Shift", 16, RIGHT),
  controll: sided("Control", 17, LEFT),
  controlr: sided("Control", 17, RIGHT),
  altl: sided("Alt", 18, LEFT),
  altr: sided("Alt", 18, RIGHT),
  isolevel3shift: { ...sided("Alt", 18, RIGHT), key: "AltGraph" },
  superl: sided("Meta", 91, LEFT),
  superr: sided("Meta", 92, RIGHT),
  metal: sided("Meta", 91, LEFT),
  metar: sided("Meta", 92, RIGHT),
  // the keypad, with Num Lock on
  kpenter: { ...onKeypad("Enter", "Enter", 13), text: "\r" },
  kpequal: onKeypad("=", "Equal", 187),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`kp${i}`, onKeypad(`${i}`, `${i}`, 96 + i)]),
  ),
  kpmultiply: onKeypad("*", "Multiply", 106),
  kpadd: onKeypad("+", "Add", 107),
  kpseparator: onKeypad(",", "Comma", 108),
  kpsubtract: onKeypad("-", "Subtract", 109),
  kpdecimal: onKeypad(".", "Decimal", 110),
  kpdivide: onKeypad("/", "Divide", 111),
  // and with Num Lock off
  kpinsert: onKeypadUnlocked("Insert", "0", 45),
  kpend: onKeypadUnlocked("End", "1", 35),
  kpdown: onKeypadUnlocked("ArrowDown", "2", 40),
  kpnext: onKeypadUnlocked("PageDown", "3", 34),
  kppagedown: onKeypadUnlocked("PageDown", "3", 34),
  kpleft: onKeypadUnlocked("ArrowLeft", "4", 37),
  kpbegin: onKeypadUnlocked("Clear", "5", 12),
  kpright: onKeypadUnlocked("ArrowRight", "6", 39),
  kphome: onKeypadUnlocked("Home", "7", 36),
  kpup: onKeypadUnlocked("ArrowUp", "8", 38),
  kpprior: onKeypadUnlocked("PageUp", "9", 33),
  kppageup: onKeypadUnlocked("PageUp", "9", 33),
  kpdelete: onKeypadUnlocked("Delete", "Decimal", 46),
  // between the left Shift and Z of keyboards with 105 keys
  intlbackslash: named("<", 226, { code: "IntlBackslash", text: "<", shifted: ">" }),
  // of other languages
  kanashift: named("KanaMode", 21),
  hangul: named("HangulMode", 21, { code: "Lang1" }),
  hanguljeonja: named("JunjaMode", 23),
  kanji: named("KanjiMode", 25),
  hangulhanja: named("HanjaMode", 25, { code: "Lang2" }),
  henkanmode: named("Convert", 28),
  muhenkan: named("NonConvert", 29),
  modeswitch: named("ModeChange", 31),
  // multimedia
  xf86sleep: named("Standby", 95, { code: "Sleep" }),
  xf86back: named("BrowserBack", 166),
  xf86forward: named("BrowserForward", 167),
  xf86refresh: named("BrowserRefresh", 168),
  xf86stop: named("BrowserStop", 169),
  xf86search: named("BrowserSearch", 170),
  xf86favorites: named("BrowserFavorites", 171),
  xf86homepage: named("BrowserHome", 172),
  xf86audiomute: named("AudioVolumeMute", 173),
  xf86audiolowervolume: named("AudioVolumeDown", 174),
  xf86audioraisevolume: named("AudioVolumeUp", 175),
  xf86audionext: named("MediaTrackNext", 176),
  xf86audioprev: named("MediaTrackPrevious", 177),
  xf86audiostop: named("MediaStop", 178),
  xf86audioplay: named("MediaPlayPause", 179),
  xf86mail: named("LaunchMail", 180),
  xf86audiomedia: named("LaunchMediaPlayer", 181, { code: "MediaSelect" }),
  xf86launch1: named("LaunchApplication1", 182, { code: "LaunchApp1" }),
  xf86launch2: named("LaunchApplication2", 183, { code: "LaunchApp2" }),
};

function named(key: string, keyCode: number, more: Partial<PageKey> = {}): PageKey {
  return { key, code: key, keyCode, ...more };
}

/** A key that a keyboard has twice. */
function sided(key: string, keyCode: number, location: number): PageKey {
  return { key, code: `${key}${location === LEFT ? "Left" : "Right"}`, keyCode, location };
}

/** @param key the sign, which it types */
function onKeypad(key: string, code: string, keyCode: number): PageKey {
  return { ...onKeypadUnlocked(key, code, keyCode), text: key };
}

/** A key that types nothing. */
function onKeypadUnlocked(key: string, code: string, keyCode: number): PageKey {
  return { key, code: `Numpad${code}`, keyCode, location: KEYPAD };
}

// Keys with a sign.

/** Without and with Shift, the code and key code. */
const SIGNS: readonly (readonly [string, string, number])[] = [
  ...[..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) =>
    [letter.toLowerCase() + letter, `Key${letter}`, letter.charCodeAt(0)] as const
  ),
  ...[...")!@#$%^&*("].map((shifted, digit) =>
    [digit + shifted, `Digit${digit}`, 48 + digit] as const
  ),
  ...[["`~", "Backquote", 192], ["-_", "Minus", 189], ["=+", "Equal", 187]] as const,
  ...[["[{", "BracketLeft", 219], ["]}", "BracketRight", 221], ["\\|", "Backslash", 220]] as const,
  ...[[";:", "Semicolon", 186], ["'\"", "Quote", 222], [",<", "Comma", 188]] as const,
  ...[[".>", "Period", 190], ["/?", "Slash", 191]] as const,
];

/** The key of one character; `undefined` where a US keyboard has none. */
export function findSign(character: string): PageKey | undefined {
  if (character === " ") return NAMED["space"];
  const sign = SIGNS.find(([both]) => character.length === 1 && both.includes(character));
  if (!sign) return undefined;
  const [both, code, keyCode] = sign;
  const shifted = both[1]!;
  const key = { key: character, code, keyCode, text: character, shifted };
  return character === shifted ? { ...key, shift: true } : key;
}

/** By X keysym names. */
const SIGN_NAMES: Readonly<Record<string, string>> = {
  grave: "`",
  asciitilde: "~",
  minus: "-",
  underscore: "_",
  equal: "=",
  plus: "+",
  bracketleft: "[",
  braceleft: "{",
  bracketright: "]",
  braceright: "}",
  backslash: "\\",
  bar: "|",
  semicolon: ";",
  colon: ":",
  apostrophe: "'",
  quotedbl: '"',
  comma: ",",
  less: "<",
  period: ".",
  greater: ">",
  slash: "/",
  question: "?",
  parenright: ")",
  exclam: "!",
  at: "@",
  numbersign: "#",
  dollar: "$",
  percent: "%",
  asciicircum: "^",
  ampersand: "&",
  asterisk: "*",
  parenleft: "(",
};
