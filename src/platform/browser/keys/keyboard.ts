/** The keyboard inside pages: keys go to the element of the tab that has the focus. */

import { pause } from "../../../core/deadline.ts";
import { FieldError } from "../../../core/errors.ts";
import { unlessStopped } from "../../../core/serve_jobs.ts";
import { focus } from "../reveal.ts";
import type { BrowserJob } from "../running_browser.ts";
import type { Tab } from "../tab.ts";

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
      ? findPageKey("enter")
      : character === "\t"
      ? findPageKey("tab")
      : findSign(character);
    if (key) await stroke(tab, { key, modifiers: key.shift ? SHIFT : 0, checkStop });
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
  const keys = names.map((name) => ({ key: findPageKey(name), bit: modifierBit(name) ?? 0 }));
  const tab = await browser.show(await browser.choose(id));
  const shift = keys.some(({ key }) => key.shift) ? SHIFT : 0;
  for (let time = 0; time < repeat; time++) {
    checkStop();
    const pressed: typeof keys = [];
    let bits = shift;
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

interface Stroke {
  readonly key: PageKey;
  readonly modifiers: number;
  readonly checkStop: () => void;
}

/** However it ends, the key is released before anything that is sent later. */
async function stroke(tab: Tab, { key, modifiers, checkStop }: Stroke): Promise<void> {
  try {
    await unlessStopped(down(tab, key, modifiers), checkStop);
  } catch (error) {
    up(tab, key, modifiers).catch(() => {}); // the page has it after all those before
    throw error;
  }
  await unlessStopped(up(tab, key, modifiers), checkStop);
}

export async function pressDelete(tab: Tab, checkStop: () => void): Promise<void> {
  await stroke(tab, { key: findPageKey("delete"), modifiers: 0, checkStop });
}

async function down(tab: Tab, key: PageKey, modifiers: number): Promise<void> {
  const text = (modifiers & NO_TEXT) === 0 && key.text !== undefined
    ? toShifted(key.text, modifiers)
    : undefined;
  await tab.act("Input.dispatchKeyEvent", {
    type: text === undefined ? "rawKeyDown" : "keyDown",
    ...describe(key, modifiers),
    ...(text === undefined ? {} : { text, unmodifiedText: text }),
  });
}

async function up(tab: Tab, key: PageKey, modifiers: number): Promise<void> {
  await tab.act("Input.dispatchKeyEvent", { type: "keyUp", ...describe(key, modifiers) });
}

function describe({ key, code, keyCode }: PageKey, modifiers: number) {
  return { modifiers, key: toShifted(key, modifiers), code, windowsVirtualKeyCode: keyCode };
}

function toShifted(sign: string, modifiers: number): string {
  return (modifiers & SHIFT) !== 0 && /^[a-z]$/.test(sign) ? sign.toUpperCase() : sign;
}

// Keys as DOM events name them: `key`, `code` and the key code of a US keyboard.

interface PageKey {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** What it types; absent for keys that type nothing. */
  readonly text?: string;
  /** Whether Shift is needed for it. */
  readonly shift?: true;
}

const NAMED: Readonly<Record<string, PageKey>> = {
  enter: named("Enter", 13, "\r"),
  tab: named("Tab", 9),
  backspace: named("Backspace", 8),
  delete: named("Delete", 46),
  escape: named("Escape", 27),
  insert: named("Insert", 45),
  home: named("Home", 36),
  end: named("End", 35),
  pageup: named("PageUp", 33),
  pagedown: named("PageDown", 34),
  left: named("ArrowLeft", 37),
  up: named("ArrowUp", 38),
  right: named("ArrowRight", 39),
  down: named("ArrowDown", 40),
  menu: named("ContextMenu", 93),
  capslock: named("CapsLock", 20),
  pause: named("Pause", 19),
  space: { key: " ", code: "Space", keyCode: 32, text: " " },
  shift: { key: "Shift", code: "ShiftLeft", keyCode: 16 },
  ctrl: { key: "Control", code: "ControlLeft", keyCode: 17 },
  alt: { key: "Alt", code: "AltLeft", keyCode: 18 },
  meta: { key: "Meta", code: "MetaLeft", keyCode: 91 },
};

/** Other names, in lower case without `_`: of X keysyms, of DOM keys, and short ones. */
const PAGE_KEY_ALIASES: Readonly<Record<string, string>> = {
  return: "enter",
  kpenter: "enter",
  esc: "escape",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  prior: "pageup",
  next: "pagedown",
  arrowleft: "left",
  arrowright: "right",
  arrowup: "up",
  arrowdown: "down",
  control: "ctrl",
  option: "alt",
  win: "meta",
  super: "meta",
  command: "meta",
  cmd: "meta",
  contextmenu: "menu",
  apps: "menu",
};

/** Names of the modifiers at the left, which stand for both: `Control_L`, `ShiftLeft`. */
const LEFT = /(?<=^(?:ctrl|control|shift|alt|super|meta))l(?:eft)?$/;

/** Each key with a sign: without and with Shift, its code and key code. */
const SIGNS: readonly (readonly [string, string, number])[] = [
  ...[["`~", "Backquote", 192], ["-_", "Minus", 189], ["=+", "Equal", 187]] as const,
  ...[["[{", "BracketLeft", 219], ["]}", "BracketRight", 221], ["\\|", "Backslash", 220]] as const,
  ...[[";:", "Semicolon", 186], ["'\"", "Quote", 222], [",<", "Comma", 188]] as const,
  ...[[".>", "Period", 190], ["/?", "Slash", 191]] as const,
];
const OVER_DIGITS = ")!@#$%^&*(";

/** @throws FieldError on `key` */
function findPageKey(name: string): PageKey {
  const word = name.toLowerCase().replaceAll("_", "").replace(LEFT, "");
  const found = findNamed(PAGE_KEY_ALIASES[word] ?? word) ?? findSign(name);
  if (found) return found;
  throw new FieldError("key", `There is no key ${JSON.stringify(name.toWellFormed())} in a page`);
}

/** The key of one character; `undefined` where a US keyboard has none. */
function findSign(character: string): PageKey | undefined {
  if (character === " ") return NAMED["space"];
  const text = { key: character, text: character };
  if (/^[a-z]$/i.test(character)) {
    const upper = character.toUpperCase();
    const plain = { ...text, code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
    return character === upper ? { ...plain, shift: true } : plain;
  }
  if (/^\d$/.test(character)) {
    return { ...text, code: `Digit${character}`, keyCode: character.charCodeAt(0) };
  }
  const digit = character.length === 1 ? OVER_DIGITS.indexOf(character) : -1;
  if (digit >= 0) return { ...text, code: `Digit${digit}`, keyCode: 48 + digit, shift: true };
  const sign = SIGNS.find(([both]) => character.length === 1 && both.includes(character));
  if (!sign) return undefined;
  const [both, code, keyCode] = sign;
  return { ...text, code, keyCode, ...(both[1] === character ? { shift: true as const } : {}) };
}

function findNamed(word: string): PageKey | undefined {
  if (Object.hasOwn(NAMED, word)) return NAMED[word];
  const number = /^f(\d{1,2})$/.exec(word)?.[1];
  const isKey = number !== undefined && Number(number) >= 1 && Number(number) <= 12;
  return isKey ? named(`F${number}`, 111 + Number(number)) : undefined;
}

function named(key: string, keyCode: number, text?: string): PageKey {
  return { key, code: key, keyCode, ...(text === undefined ? {} : { text }) };
}

// Modifier keys as the protocol counts them.

const BITS: Readonly<Record<string, number>> = { alt: 1, ctrl: 2, meta: 4, shift: SHIFT };

/** The bit of a modifier; `undefined` for any other key. */
function modifierBit(name: string): number | undefined {
  const word = name.toLowerCase().replace(/(?:left|right|_l|_r)$/, "");
  const key = PAGE_KEY_ALIASES[word] ?? word;
  return Object.hasOwn(BITS, key) ? BITS[key] : undefined;
}

/** @throws FieldError on `modifiers` */
export function modifierBits(names: readonly string[]): number {
  return names.reduce((bits, name) => {
    const bit = modifierBit(name);
    if (bit !== undefined) return bits | bit;
    throw new FieldError(
      "modifiers",
      `${JSON.stringify(name)} is not a modifier: use ctrl, shift, alt or meta`,
    );
  }, 0);
}
