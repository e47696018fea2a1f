/** Waits until something holds, or no longer does: on a display, in a file, of a process. */

import type { z } from "zod";
import { abortAfter, pause, TIME_IS_UP, unlessAborted } from "../../core/deadline.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { FoundElement } from "../accessibility/fields.ts";
import type { Context } from "../context.ts";
import type { Found } from "../display/find_image.ts";
import {
  type Awaited,
  type WaitInput as DisplayWait,
  waitOnDisplay,
} from "../display/wait_on_display.ts";
import { requireGroup } from "../switched_off.ts";
import { openWindowsOf } from "../window/list_windows.ts";
import { Opening, readyFirst } from "../window/opening.ts";
import { toEntries, type WindowEntry } from "../window/window_answer.ts";
import type {
  Condition,
  ElementCondition,
  ProcessCondition,
  Until,
  WindowCondition,
} from "./conditions.ts";
import { lookUntil } from "./look_until.ts";
import { waitForElement } from "./wait_for_element.ts";
import { waitForFile } from "./wait_for_file.ts";

interface WaitInput extends DisplayWait {
  readonly until: Until;
}

interface Outcome {
  readonly status: "changed" | "stable" | "found" | "gone" | "ended";
  readonly match?: Found;
  readonly element?: z.output<typeof FoundElement>;
  readonly window?: z.output<typeof WindowEntry>;
  readonly pid?: number;
}

export async function waitFor(context: Context, input: WaitInput) {
  const start = performance.now();
  using deadline = abortAfter(input.timeout_ms, context.signal);
  const elapsed = () => Math.round(performance.now() - start);
  const awaited = readCondition(input.until, deadline.signal);
  try {
    return { ...await awaitCondition(context, input, awaited), elapsed_ms: elapsed() };
  } catch (error) {
    if (error !== TIME_IS_UP) throw error;
    return { status: "timeout" as const, elapsed_ms: elapsed() };
  }
}

function readCondition(until: Until, signal: AbortSignal): Awaited<Condition> {
  if (typeof until === "object" && "gone" in until) {
    return { condition: until.gone, gone: true, at: ["until", "gone"], signal };
  }
  return { condition: until, gone: false, at: ["until"], signal };
}

async function awaitCondition(
  context: Context,
  input: WaitInput,
  awaited: Awaited<Condition>,
): Promise<Outcome> {
  const { condition, gone, at, signal } = awaited;
  if (typeof condition === "string" || "pixel" in condition || "image" in condition) {
    return await waitOnDisplay(context, input, { ...awaited, condition });
  }
  if ("file" in condition) {
    const file = "state" in condition.file
      ? condition.file
      : { ...condition.file, state: "gone" as const };
    return await waitForFile(context, file, { at, signal, timeoutMs: input.timeout_ms });
  }
  if ("process" in condition) {
    return await waitForProcess(context, condition.process, { gone, signal });
  }
  const wait = {
    ...{ gone, signal },
    ...{ displayNum: input.display_num, timeoutMs: input.timeout_ms },
  };
  if ("window" in condition) return await waitForWindow(context, condition.window, wait);
  const wanted = "text" in condition ? anywhere(condition.text) : condition.element;
  return await waitForElement(context, wanted, wait);
}

function anywhere(text: string): ElementCondition {
  return { text, window: "all", exact: false };
}

// Waits until a process has ended, or until one of a name runs, or none does.

/** Interval between looks at one process, in milliseconds. */
const PROCESS_POLL_MS = 25;
/** The same at all processes. */
const LOOK_AT_ALL_MS = 100;
/** A look is followed by a rest of this many times its length, so that it takes a tenth of a core. */
const REST = 9;
/** The longest rest, in milliseconds: a look that was slow once does not hide what comes next. */
const MAX_REST_MS = 1_000;

interface FoundProcesses {
  readonly status: "found" | "gone" | "ended";
  readonly pid?: number;
}

interface ProcessWait {
  readonly gone: boolean;
  readonly signal: AbortSignal;
}

/** @throws ServiceError `unsupported` where processes cannot be followed */
async function waitForProcess(
  context: Pick<Context, "platform" | "signal">,
  condition: ProcessCondition,
  { gone, signal }: ProcessWait,
): Promise<FoundProcesses> {
  if ("name" in condition) return await waitForName(context, condition.name, { gone, signal });
  await waitForEnd(context, condition.pid, signal);
  return { status: gone ? "gone" : "ended" };
}

/** Resolves at once when no process has this id, and when the one that has it now has ended. */
async function waitForEnd(
  { platform: { processTable } }: Pick<Context, "platform">,
  pid: number,
  signal: AbortSignal,
): Promise<void> {
  using followed = requirePort(processTable).follow(pid);
  while (followed?.isAlive()) await pause(PROCESS_POLL_MS, signal);
}

async function waitForName(
  { platform: { processTable }, signal: client }: Pick<Context, "platform" | "signal">,
  name: string,
  { gone, signal }: ProcessWait,
): Promise<FoundProcesses> {
  const table = requirePort(processTable);
  // the first look has its time even where none is to be waited
  for (let until = client;; until = signal) {
    const start = performance.now();
    const pid = await unlessAborted(table.find(name), until);
    if (gone && pid === undefined) return { status: "gone" };
    if (!gone && pid !== undefined) return { status: "found", pid };
    await pause(restAfter(performance.now() - start), signal);
  }
}

/** In milliseconds, like the length of the look before. */
export function restAfter(lookMs: number): number {
  return Math.min(MAX_REST_MS, Math.max(LOOK_AT_ALL_MS, REST * lookMs));
}

// Waits until a window is open, has a state or a title, or is closed.

interface WindowWait extends Pick<Awaited<unknown>, "gone" | "signal"> {
  readonly displayNum: number;
  readonly timeoutMs: number;
}

interface WindowOutcome {
  readonly status: "found" | "gone";
  readonly window?: WindowEntry;
}

/**
 * @throws ServiceError `forbidden` where windows are switched off; as listing them does; the
 *   signal's reason
 */
async function waitForWindow(
  context: Context,
  condition: WindowCondition,
  { gone, displayNum, ...wait }: WindowWait,
): Promise<WindowOutcome> {
  requireGroup(context.config, "window");
  const windows = await openWindowsOf(context, displayNum);
  const fits = toMatcher(condition);
  const opening = new Opening();
  let isFirstLook = true;
  return await lookUntil({
    ...wait,
    client: context.signal,
    changed: (signal) => windows.changed(signal),
    look: async (signal): Promise<WindowOutcome | undefined> => {
      const wasThere = isFirstLook;
      isFirstLook = false;
      // a condition that fits a stored value would tell it, letter by letter
      const entries = await toEntries(context, await windows.list(signal));
      const [found] = readyFirst(entries.filter(fits));
      if (gone) return found ? undefined : { status: "gone" };
      if (found === undefined || !wasThere && opening.restMs(found) > 0) return undefined;
      return { status: "found", window: found };
    },
  });
}

function toMatcher(
  { id, title, app, pid, states = [], exact }: WindowCondition,
): (window: WindowEntry) => boolean {
  const hasTitle = toTextMatcher(title, exact);
  const hasApp = toTextMatcher(app, exact);
  return (window) =>
    (id === undefined || window.id === id) && (pid === undefined || window.pid === pid) &&
    hasTitle(window.title) && hasApp(window.app ?? "") &&
    states.every((state) => window.states.includes(state));
}

function toTextMatcher(wanted: string | undefined, exact: boolean): (text: string) => boolean {
  if (wanted === undefined) return () => true;
  if (exact) return (text) => text === wanted;
  const part = wanted.toLowerCase();
  return (text) => text.toLowerCase().includes(part);
}
