/** Key names of the vendors' models and of DOM events, as the API names them. */

import { findKey, splitCombination } from "../../platform/keys.ts";

/** Keys of one combination: as many as `keyboard.hotkey` takes. */
export const MAX_KEYS = 16;

/** Names that our operations do not know, or know for another key: in lower case, without blanks, `_` and `-`. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  // to X these are arrows to print
  leftarrow: "left",
  rightarrow: "right",
  uparrow: "up",
  downarrow: "down",
  hyper: "super",
  ctl: "ctrl",
};

/**
 * Combinations that are written without a plus: `ctrl-l` is not the key `ctrl_l`, nor `alt-left` the left Alt key.
 * AltGr is one key.
 */
const IS_COMBINATION =
  /^(?:ctrl|control|ctl|alt|opt|option|shift|super|win|windows|cmd|command|meta|os)_*[\s-][\s_-]*(?!gr(?:aph)?$)[^\s_-]/i;

/**
 * The name of one key; a name that nobody knows, or that is a combination, stays as it is, for our operation to
 * refuse.
 */
export function keyName(name: string): string {
  if (IS_COMBINATION.test(name.trim())) return name;
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, "");
  if (Object.hasOwn(VENDOR_NAMES, plain)) return VENDOR_NAMES[plain]!;
  return findKey(name) === undefined && findKey(plain) !== undefined ? plain : name;
}

/** The keys of a combination such as `ctrl+shift+t`; the plus key is `+`, also at the end. */
export function splitKeys(combination: string): string[] {
  return splitCombination(combination).map((name) => keyName(name.trim()));
}

/**
 * Several combinations, as xdotool takes them: separated by spaces. A lone space is the space bar.
 */
export function splitCombinations(text: string): string[][] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? [[text === "" ? "" : "space"]] : joinPluses(words).map(splitKeys);
}

/** `ctrl + c` is one combination. */
function joinPluses(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isGlued = last !== undefined &&
      (word.startsWith("+") && word !== "+" || isOpen(last) || word === "+" && words.length > 1);
    if (isGlued) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

/** Whether a combination goes on after its last plus. */
function isOpen(combination: string): boolean {
  return combination.length > 1 && combination.endsWith("+") && !combination.endsWith("++");
}

// The names of keys that OpenAI, Gemini, UI-TARS and Qwen models write: those of browsers
// (`KeyboardEvent.key` and `.code`) and of PyAutoGUI, which our operations know, and these, of
// Playwright, Electron and others.

const NAMES: Readonly<Record<string, string>> = {
  commandorcontrol: "ctrl",
  cmdorctrl: "ctrl",
  singlequote: "'",
  dot: ".",
  hyphen: "-",
  dash: "-",
  equals: "=",
  tilde: "~",
  leftbracket: "[",
  rightbracket: "]",
  openbracket: "[",
  closebracket: "]",
  snapshot: "print",
};

/** A name that nobody knows stays as it is, for our operation to refuse. */
export function domKeyName(name: string): string {
  if ([...name].length <= 1) return name === " " ? "space" : name;
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, "");
  return Object.hasOwn(NAMES, plain) ? NAMES[plain]! : keyName(name.trim());
}

/** The keys of a list in which an entry may be a combination: `["ctrl+shift", "t"]`. */
export function domKeyNames(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    return /^[^+].*\+/.test(name) ? splitCombination(name).map(domKeyName) : [domKeyName(name)];
  });
}
