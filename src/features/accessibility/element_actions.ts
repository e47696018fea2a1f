/** What all actions on elements share: who performs them, by which method, and what changed. */

import { pause } from "../../core/deadline.ts";
import { ignoreCode, ServiceError } from "../../core/errors.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { Element, ElementState } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { ElementTarget } from "./element_target.ts";
import { activateWindow } from "./clickable_area.ts";

/** `auto`: the program, and real input where it refuses. */
export type Method = "auto" | "program" | "input";

export interface Acting {
  readonly context: Context;
  readonly target: ElementTarget;
  /** The ref of the target. */
  readonly ref: string;
  readonly method: Method;
}

/** After this time a program has taken back what it does not keep, in milliseconds. */
const SETTLE_MS = 150;

export interface ElementActionResult {
  readonly result: "confirmed" | "unverified";
  readonly by: "program" | "input";
  /** One sentence. */
  readonly reason: string;
  /** The element as it was last seen; absent if it is gone. */
  readonly now?: Element | undefined;
}

/** Ends the reason of what a program was requested to do and shows, where real input is surer. */
export const VISIBLE_ONLY = "but its program may not keep it: `input` is more reliable.";

type Make = (by: ElementActionResult["by"], reason: string, now?: Element) => ElementActionResult;

export const confirmed: Make = (by, reason, now) => ({ result: "confirmed", by, reason, now });
export const unverified: Make = (by, reason, now) => ({ result: "unverified", by, reason, now });

/**
 * Whether a click is done with the real mouse where no method was requested; then its window is
 * the active one.
 */
export async function prefersInput(
  { context, target, method }: Acting,
  { needsInput }: Pick<Element, "needsInput">,
): Promise<boolean> {
  if (method !== "auto" || !needsInput || context.config.disabled.has("mouse")) return false;
  const { display } = await target.open();
  await activateWindow(display, target, context.signal);
  return true;
}

/** Clicks with the real mouse in the middle of the visible part of the element. */
export async function clickForReal({ context, target, ref }: Acting): Promise<void> {
  await call(context, "mouse.left-click", { ref, display_num: target.displayNum });
}

/** Replaces the content of the element with the real keyboard. */
export async function typeForReal(
  { context, target, ref }: Acting,
  { text, clear }: { readonly text: string; readonly clear: boolean },
): Promise<void> {
  const typing = { text, clear, ref, typing_delay: TYPING_DELAY, display_num: target.displayNum };
  await call(context, "keyboard.type", typing);
}

/** Between two keys, in milliseconds; what has become of them is read back. */
const TYPING_DELAY = 2;

export async function pressForReal({ context, target }: Acting, key: string): Promise<void> {
  await call(context, "keyboard.key", { key, display_num: target.displayNum });
}

/** Operations check by themselves whether they are switched off. */
async function call(
  { actor, calls, requestId, signal, inputScope }: Context,
  name: string,
  input: object,
): Promise<void> {
  const options = { actor, requestId, signal, isPart: true, ...(inputScope && { inputScope }) };
  await calls.prepare(name, input, { at: [] }).run(options);
}

/** Whether it is still so when the program has settled, and the element as it is then. */
export async function lasts(
  { target, context: { signal } }: Acting,
  isSo: (element: Element) => boolean,
): Promise<{ readonly so: boolean; readonly now: Element }> {
  await pause(SETTLE_MS, signal);
  const now = await target.refresh(signal);
  return { so: isSo(now), now };
}

/** Why real input cannot follow a request to a program; `undefined` if it has been sent. */
export async function attempt(send: () => Promise<void>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && EXPECTED.has(error.code)) return error.message;
    throw error;
  }
}

/** Covered, gone, switched off, a character that no key has, a program that does not answer. */
const EXPECTED: ReadonlySet<string> = new Set([
  ...["conflict", "forbidden", "unsupported", "invalid", "timed_out"],
]);

// Finds what an action has changed: the element itself, its window, or the windows.

/** Delays after the action at which the state is polled, in milliseconds. */
const POLL_DELAYS_MS = [10, 40, 90, 170, 300, 550, 900, 1_400];
/** The full window is read from this delay on only, because that costs the program something. */
const FULL_TREE_FROM_MS = 90;
/** Of a window of more elements, the first ones are compared. */
const MAX_COMPARED = 3_000;
/** Reading that takes longer proves nothing, because it may end elsewhere each time. */
const READ_TIMEOUT_MS = 1_500;

/** Elements whose own state shows what a click has done; tabs of Qt do not say which is selected. */
const STATEFUL = /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio|option)$/;
/** A click on one of these has its effect also where it was so before. */
const CHOSEN = /^(radio|menuitemradio|option|tab)$/;

const COMPARED: readonly ElementState[] = [
  ...["checked", "mixed", "selected", "expanded", "collapsed", "pressed", "disabled"] as const,
  ...["invalid", "editable", "readonly"] as const,
];

export interface Effect {
  /** What has changed, as a sentence; `undefined` if nothing was seen to. */
  readonly change: string | undefined;
  /** Whether the element itself shows it. */
  readonly isOwn?: true;
  /** What it was for a moment only, as a sentence. */
  readonly takenBack?: string | undefined;
  readonly now: Element | undefined;
}

/** The state before the action, with which later ones are compared. */
export interface Before {
  readonly element: Element;
  /** Every element of the window; `undefined` where that is not compared. */
  readonly fullTree: string | undefined;
  readonly windows: ReadonlySet<string> | undefined;
}

export async function captureBefore(acting: Acting, element: Element): Promise<Before> {
  const [fullTree, windows] = await Promise.all([
    STATEFUL.test(element.role) ? undefined : readFullTree(acting),
    listWindows(acting),
  ]);
  return { element, fullTree, windows };
}

/** Polls for at most one and a half seconds; a change of the element itself must last. */
export async function findEffect(
  acting: Acting,
  before: Before,
  { byInput }: { readonly byInput: boolean },
): Promise<Effect> {
  const start = performance.now();
  let now: Element | undefined = before.element;
  let takenBack: string | undefined;
  for (const at of POLL_DELAYS_MS) {
    await pause(start + at - performance.now(), acting.context.signal);
    const seen = await readCurrent(acting);
    if (seen === "unresponsive") {
      const change = await compareWindows(acting, before);
      if (change !== undefined) return { change, now };
      continue;
    }
    if ("change" in seen) return { change: seen.change, now: undefined };
    now = seen.now;
    const own = compareElements(before.element, now, byInput);
    if (own !== undefined) {
      await pause(SETTLE_MS, acting.context.signal);
      const later = await readCurrent(acting);
      if (later === "unresponsive" || "change" in later) return { change: own, isOwn: true, now };
      now = later.now;
      if (compareElements(before.element, now, byInput) !== undefined) {
        return { change: own, isOwn: true, now };
      }
      takenBack = own;
    }
    const change = await compareWindows(acting, before) ??
      (at >= FULL_TREE_FROM_MS ? await compareFullTree(acting, before) : undefined);
    if (change !== undefined) return { change, now };
  }
  return { change: undefined, takenBack, now };
}

async function readCurrent(
  { context: { signal }, target }: Acting,
): Promise<{ readonly now: Element } | { readonly change: string } | "unresponsive"> {
  const { accessibility } = await target.open();
  const ids = [target.id, target.top];
  const refreshed = await ignoreCode("timed_out", () => accessibility.refresh(ids, signal));
  if (refreshed === undefined) return "unresponsive";
  const [now, top] = refreshed;
  if (now) return { now };
  return { change: top ? "It is no longer visible" : "Its window has closed" };
}

function compareElements(before: Element, now: Element, byInput: boolean): string | undefined {
  const changed = COMPARED.find((state) => before.states.has(state) !== now.states.has(state));
  if (changed !== undefined) {
    return now.states.has(changed) ? `It is ${changed} now` : `It is no longer ${changed}`;
  }
  if (before.value !== now.value) return "Its value has changed";
  if (before.name !== now.name) return "Its name has changed";
  // a program reports this after a request without having done anything
  if (
    byInput && CHOSEN.test(now.role) && (now.states.has("selected") || now.states.has("checked"))
  ) {
    return `It is ${now.states.has("selected") ? "selected" : "checked"}, as before`;
  }
  // a program that got the click gives the focus to what takes it
  const hasCome = now.states.has("focused") && !before.states.has("focused");
  return byInput && hasCome ? "It has taken the keyboard focus" : undefined;
}

async function compareWindows(acting: Acting, { windows }: Before): Promise<string | undefined> {
  const now = await listWindows(acting);
  if (!windows || !now) return undefined;
  if ([...now].some((id) => !windows.has(id))) return "A window has opened";
  return [...windows].some((id) => !now.has(id)) ? "A window has closed" : undefined;
}

async function compareFullTree(acting: Acting, { fullTree }: Before): Promise<string | undefined> {
  if (fullTree === undefined) return undefined;
  const now = await readFullTree(acting);
  return now === undefined || now === fullTree
    ? undefined
    : "The content of its window has changed";
}

async function listWindows({ context, target }: Acting): Promise<Set<string> | undefined> {
  const { display: { windows } } = await target.open();
  if (!windows.ready) return undefined;
  return new Set((await windows.use.list(context.signal)).map(({ id }) => id));
}

/** `undefined` where it took too long to be compared. */
async function readFullTree({ context: { signal }, target }: Acting): Promise<string | undefined> {
  const { accessibility } = await target.open();
  const tree = await ignoreCode("timed_out", () =>
    accessibility.read({
      scope: { element: target.top },
      hidden: false,
      maxElements: MAX_COMPARED,
      maxDepth: 100,
      timeMs: READ_TIMEOUT_MS,
      signal,
    }));
  if (tree === undefined || tree.truncated.includes("time")) return undefined;
  const lines: string[] = [];
  const yielder = new EventLoopYielder();
  for (const root of tree.roots) await describe(root, { lines, yielder });
  return lines.join("\n");
}

/**
 * Without the focus and the positions: scrolling is no effect. Without ids: Qt and LibreOffice make
 * other objects of the same rows whenever they are queried.
 */
async function describe(
  { role, name, value, states, children }: Element,
  { lines, yielder }: { readonly lines: string[]; readonly yielder: EventLoopYielder },
): Promise<void> {
  await yielder.yieldIfDue();
  const compared = COMPARED.filter((state) => states.has(state)).join();
  lines.push(JSON.stringify([role, name, value, compared]));
  for (const child of children) await describe(child, { lines, yielder });
}
