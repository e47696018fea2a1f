/** The keyboard inside pages: keys go to the element of the tab that has the focus. */

import { pause } from "../../../core/deadline.ts";
import { FieldError } from "../../../core/errors.ts";
import { unlessStopped } from "../../../core/serve_jobs.ts";
import type { CdpParams } from "../cdp/connection.ts";
import { focus } from "../reveal.ts";
import type { BrowserJob } from "../running_browser.ts";
import type { Tab } from "../tab.ts";
import { KEYPAD, type NamedKey } from "../../named_keys.ts";
import { findPageKey, findSign } from "./page_keys.ts";

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

/** The bit of a modifier; `undefined` for any other key. */
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
