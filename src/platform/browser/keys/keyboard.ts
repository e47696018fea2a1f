/** The keyboard inside pages: keys go to the element of the tab that has the focus. */

import { pause } from "../../../core/deadline.ts";
import { FieldError } from "../../../core/errors.ts";
import { unlessStopped } from "../../../core/serve_jobs.ts";
import { keysymNameOfWord } from "../../key_names.ts";
import type { CdpParams } from "../cdp/connection.ts";
import { focus } from "../elements.ts";
import type { BrowserJob } from "../running_browser.ts";
import type { Tab } from "../tab.ts";
import { KEYPAD, named, NAMED_KEYS, type NamedKey, onKeypad } from "../../named_keys.ts";

const SHIFT = 8;
/** Everything that a modifier turns into a shortcut. */
const NO_TEXT = 1 | 2 | 4;
const CALLER_CHECK_INTERVAL_MS = 100;

export const typeText: BrowserJob<"type"> = async (
  browser,
  { tab: id, element, text },
  { checkStop },
) => {
  const tab = element ? browser.tabOfTarget(element.target) : await browser.choose(id);
  if (element) await focus(browser, { element, use: "text" }, { checkStop });
  else await browser.show(tab);
  for (const character of text.replaceAll(/\r\n?/g, "\n")) {
    checkStop();
    const key = character === "\n"
      ? requirePageKey("enter")
      : character === "\t"
      ? requirePageKey("tab")
      : findSign(character);
    if (key) await stroke(tab, key, checkStop);
    else await unlessStopped(tab.act("Input.insertText", { text: character }), checkStop);
    tab.check();
  }
};

/** Presses keys together: in order, and releases them in reverse. */
export const pressKeys: BrowserJob<"keys"> = async (
  browser,
  { tab: id, keys: names, repeat, durationMs },
  { checkStop },
) => {
  const keys = names.map((name) => {
    const key = requirePageKey(name);
    return { key, bit: modifierBit(key) ?? 0 };
  });
  const tab = await browser.show(await browser.choose(id));
  for (let time = 0; time < repeat; time++) {
    checkStop();
    const pressed: typeof keys = [];
    let bits = 0;
    try {
      for (const each of keys) {
        bits |= each.bit;
        pressed.push(each);
        await unlessStopped(down(tab, each.key, bits), checkStop);
      }
      const end = performance.now() + durationMs;
      while (performance.now() < end) {
        checkStop();
        await pause(Math.min(CALLER_CHECK_INTERVAL_MS, end - performance.now()));
      }
    } finally {
      // all are sent at once: a page that hangs has them after what it hangs in
      const ups = pressed.reverse().map(({ key, bit }) => up(tab, key, bits &= ~bit));
      await unlessStopped(Promise.all(ups), checkStop);
    }
    if (tab.dialog) return;
  }
};

/** However it ends, the key is released before anything that is sent later. */
async function stroke(tab: Tab, key: NamedKey, checkStop: () => void): Promise<void> {
  try {
    await unlessStopped(down(tab, key, 0), checkStop);
  } catch (error) {
    up(tab, key, 0).catch(() => {}); // the page has it after all those before
    throw error;
  }
  await unlessStopped(up(tab, key, 0), checkStop);
}

export async function pressDelete(tab: Tab, checkStop: () => void): Promise<void> {
  await stroke(tab, requirePageKey("delete"), checkStop);
}

/** @param held the bits of the modifiers that are down */
async function down(tab: Tab, key: NamedKey, held: number): Promise<void> {
  await tab.act("Input.dispatchKeyEvent", keyDown(key, held));
}

async function up(tab: Tab, key: NamedKey, held: number): Promise<void> {
  await tab.act("Input.dispatchKeyEvent", { type: "keyUp", ...describe(key, held) });
}

/** What the keyboard of a US layout sends for a key that goes down. */
export function keyDown(key: NamedKey, held: number): CdpParams<"Input.dispatchKeyEvent"> {
  const event = describe(key, held);
  if (key.text === undefined || (held & NO_TEXT) !== 0) return { type: "rawKeyDown", ...event };
  const text = shiftedSign(key, event.modifiers) ?? key.text;
  return { type: "keyDown", ...event, text, unmodifiedText: text };
}

function describe(key: NamedKey, held: number) {
  const { code, keyCode, location } = key;
  const modifiers = held | (key.shift ? SHIFT : 0);
  return {
    modifiers,
    key: shiftedSign(key, modifiers) ?? key.key,
    code,
    windowsVirtualKeyCode: keyCode,
    ...(location === undefined ? {} : { location, isKeypad: location === KEYPAD }),
  };
}

function shiftedSign({ shifted }: NamedKey, modifiers: number): string | undefined {
  return (modifiers & SHIFT) === 0 ? undefined : shifted;
}

/** @throws FieldError on `key` */
function requirePageKey(name: string): NamedKey {
  const key = findPageKey(name);
  if (key) return key;
  throw new FieldError("key", `There is no key ${JSON.stringify(name.toWellFormed())} in a page`);
}

// Modifier keys as the protocol counts them.

const BITS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: SHIFT };

function modifierBit(key: NamedKey | undefined): number | undefined {
  return key && Object.hasOwn(BITS, key.key) ? BITS[key.key] : undefined;
}

/** @throws FieldError on `modifiers` */
export function modifierBits(names: readonly string[]): number {
  return names.reduce((bits, name) => {
    const bit = modifierBit(findPageKey(name));
    if (bit !== undefined) return bits | bit;
    throw new FieldError(
      "modifiers",
      `${JSON.stringify(name)} is not a modifier: use ctrl, shift, alt or meta`,
    );
  }, 0);
}

// The keys that can be pressed in pages, as DOM events name them: `key`, `code` and the key code of a US keyboard.

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
function findSign(character: string): NamedKey | undefined {
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
