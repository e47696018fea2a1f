/** The keys that can be pressed in pages, as DOM events name them: `key`, `code` and the key code of a US keyboard. */

import { keysymNameOfWord } from "../../key_names.ts";
import { named, NAMED_KEYS, type NamedKey, onKeypad } from "../../named_keys.ts";

/**
 * The keys of the keyboard operations that a page can have, by the same names: all words, the X keysyms of these
 * keys, and the characters of a US keyboard. `undefined` for others.
 */
export function findPageKey(name: string): NamedKey | undefined {
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

/** In lower case and without `_`: X keysym names, and a code that has no keysym of its own. */
const NAMED: Readonly<Record<string, NamedKey>> = {
  ...Object.fromEntries(Object.entries(NAMED_KEYS).map(([name, key]) => [fold(name), key])),
  prior: NAMED_KEYS["Page_Up"]!,
  next: NAMED_KEYS["Page_Down"]!,
  kpprior: NAMED_KEYS["KP_Page_Up"]!,
  kpnext: NAMED_KEYS["KP_Page_Down"]!,
  kpequal: onKeypad("=", "Equal", 187),
  // between the left Shift and Z of keyboards with 105 keys
  intlbackslash: named("<", 226, { code: "IntlBackslash", text: "<", shifted: ">" }),
};

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
export function findSign(character: string): NamedKey | undefined {
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
