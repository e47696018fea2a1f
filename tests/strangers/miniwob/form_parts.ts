/** What the solvers of forms have in common: finding fields, buttons and texts. */

import { setTimeout as wait } from "node:timers/promises";
import { type Hand, type Line, need, textIn } from "./hand.ts";
import { type Box, findRegions, type Region, type Wanted } from "./pixels.ts";

/** How long a page may take to show what follows, in milliseconds: on a busy computer one look takes seconds. */
const FOLLOW_MS = 15_000;
const AGAIN_MS = 50;

/** Looks at the page until something is found there. @throws Error when it does not come */
async function poll<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
  for (const end = performance.now() + FOLLOW_MS;; await wait(AGAIN_MS)) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`The page does not show ${what}`);
  }
}

/** Reads the page until it has what is wanted. @throws Error when it does not come */
export function waitFor<Found>(
  hand: Hand,
  what: string,
  find: (lines: readonly Line[]) => Found | undefined,
): Promise<Found> {
  return poll(what, async () => find(await hand.lines()));
}

/** Regions of a colour whose size fits, from top to bottom. @throws Error when none comes */
export function waitForRegions(
  hand: Hand,
  isWanted: Wanted,
  fits: (box: Box) => boolean,
): Promise<readonly Region[]> {
  return poll("such a region", async () => {
    const found = findRegions(await hand.picture(), isWanted).filter(({ box }) => fits(box));
    return found.length > 0 ? found : undefined;
  });
}

/** The groups of a pattern in the task. @throws Error when the task is another one */
export function partsOf(task: string, pattern: RegExp): readonly string[] {
  const found = pattern.exec(task);
  if (!found) throw new Error(`The task is another one: ${task}`);
  return found.slice(1).map((part) => part ?? "");
}

/** What the task has in quotes. */
export function quotedIn(task: string): readonly string[] {
  return [...task.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
}

/** 0 for `1st`. @throws Error when there is no such word before the noun */
export function placeOf(task: string, noun: string): number {
  const [number = ""] = partsOf(task, new RegExp(`(\\d)(?:st|nd|rd|th) ${noun}`));
  return Number(number) - 1;
}

/** Elements of a role, in the order of the page. */
export function allOf(lines: readonly Line[], role: RegExp): readonly Line[] {
  return lines.filter((line) => line.ref !== undefined && role.test(line.role));
}

/** Fields for text. */
export function boxesOf(lines: readonly Line[]): readonly Line[] {
  return allOf(lines, /^(textbox|searchbox|combobox)$/);
}

/** @throws Error when there are fewer */
export function itemAt<Item>(items: readonly Item[], at: number): Item {
  const item = items[at];
  if (item === undefined) throw new Error(`There are ${items.length}: none at ${at}`);
  return item;
}

/** Texts of the page that stand alone or name something, in its order. */
export function textsOf(lines: readonly Line[]): readonly string[] {
  return lines.filter(({ inside }) => inside.length === 0).map(({ name }) => name.trim());
}

/** The groups of the first text that fits. @throws Error when there is none */
export function partsOfText(lines: readonly Line[], pattern: RegExp): readonly string[] {
  const text = textsOf(lines).find((each) => pattern.test(each));
  if (text === undefined) throw new Error(`No text ${pattern} in the page`);
  return partsOf(text, pattern);
}

/** Leaves the field with the focus, which closes what a browser proposes for it: that can cover the next field, or a button. */
export async function leaveField(hand: Hand): Promise<void> {
  await hand.key("Tab");
}

export async function press(hand: Hand, name: string | RegExp): Promise<void> {
  await hand.click(need(await hand.lines(), /^button$/, name));
}

/** Presses what may only look like a button: its role can be any. */
export async function pressText(hand: Hand, text: RegExp): Promise<void> {
  const fitting = allOf(await hand.lines(), /./).filter((line) => text.test(textIn(line).trim()));
  await hand.click(itemAt(fitting, fitting.length - 1));
}
