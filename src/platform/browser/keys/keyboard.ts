/** The keyboard inside pages: keys go to the element of the tab that has the focus. */

import { pause } from "../../../core/deadline.ts";
import { unlessStopped } from "../../../core/serve_jobs.ts";
import type { BrowserJobs } from "../../types/browser_jobs.ts";
import { focus } from "../reveal.ts";
import type { RunningBrowser } from "../running_browser.ts";
import type { Tab } from "../tab.ts";
import { findKey, findSign, type PageKey } from "./key_table.ts";
import { modifierBit } from "./modifiers.ts";

const SHIFT = 8;
/** Everything that a modifier turns into a shortcut. */
const NO_TEXT = 1 | 2 | 4;
/** Characters between two looks whether the caller is still there. */
const GROUP = 50;
const LOOK_MS = 100;

export async function typeText(
  browser: RunningBrowser,
  { tab: id, element, text }: BrowserJobs["type"][0],
  checkStop: () => void,
): Promise<void> {
  const tab = element ? browser.tabOfTarget(element.target) : await browser.choose(id);
  if (element) await focus(browser, element, "text");
  else await browser.show(tab);
  let count = 0;
  for (const character of text.replaceAll(/\r\n?/g, "\n")) {
    if (count++ % GROUP === 0) checkStop();
    const key = character === "\n"
      ? findKey("enter")
      : character === "\t"
      ? findKey("tab")
      : findSign(character);
    if (key === undefined) await tab.act("Input.insertText", { text: character });
    else await stroke(tab, key, key.shift ? SHIFT : 0);
    tab.check();
  }
}

/** Presses keys together: in order, and releases them in reverse. */
export async function pressKeys(
  browser: RunningBrowser,
  { tab: id, keys: names, repeat, durationMs }: BrowserJobs["keys"][0],
  checkStop: () => void,
): Promise<void> {
  const keys = names.map((name) => ({ key: findKey(name), bit: modifierBit(name) ?? 0 }));
  const tab = await browser.choose(id);
  await browser.show(tab);
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
        await pause(Math.min(LOOK_MS, end - performance.now()));
      }
    } finally {
      // all are sent at once: a page that hangs has them after what it hangs in
      const ups = pressed.reverse().map(({ key, bit }) => up(tab, key, bits &= ~bit));
      await unlessStopped(Promise.all(ups), checkStop);
    }
    if (tab.dialog) return;
  }
}

async function stroke(tab: Tab, key: PageKey, modifiers: number): Promise<void> {
  try {
    await down(tab, key, modifiers);
  } catch (error) {
    up(tab, key, modifiers).catch(() => {}); // the page has it after all those before
    throw error;
  }
  await up(tab, key, modifiers);
}

async function down(tab: Tab, key: PageKey, modifiers: number): Promise<void> {
  const text = (modifiers & NO_TEXT) === 0 ? toShifted(key, modifiers) : undefined;
  await tab.act("Input.dispatchKeyEvent", {
    type: text === undefined ? "rawKeyDown" : "keyDown",
    ...describe(key, modifiers),
    ...(text === undefined ? {} : { text, unmodifiedText: text }),
  });
}

async function up(tab: Tab, key: PageKey, modifiers: number): Promise<void> {
  await tab.act("Input.dispatchKeyEvent", { type: "keyUp", ...describe(key, modifiers) });
}

function toShifted({ text }: PageKey, modifiers: number): string | undefined {
  return (modifiers & SHIFT) !== 0 && text !== undefined && /^[a-z]$/.test(text)
    ? text.toUpperCase()
    : text;
}

function describe(key: PageKey, modifiers: number) {
  const shown = (modifiers & SHIFT) !== 0 && /^[a-z]$/.test(key.key)
    ? key.key.toUpperCase()
    : key.key;
  return { modifiers, key: shown, code: key.code, windowsVirtualKeyCode: key.keyCode };
}
