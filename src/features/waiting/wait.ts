/** Waits until something holds, or no longer does: on a display, in a file, of a process. */

import type { z } from "zod";
import {
  abortAfter,
  followUntil,
  pause,
  TIME_IS_UP,
  unlessAborted,
  within,
} from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { SharedRun } from "../../core/shared_run.ts";
import type { Match } from "../../imaging/match/plane.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { MatchedElement } from "../accessibility/fields.ts";
import { type Criteria, search, toMatchedElement } from "../accessibility/find.ts";
import { type Redacted, redactElements } from "../accessibility/redact_elements.ts";
import { nameEntry } from "../accessibility/snapshot.ts";
import {
  findElement,
  type ReadElements,
  readElements,
} from "../accessibility/use_accessibility.ts";
import { openAccessibility } from "../accessibility/element_target.ts";
import { type Context, innerContext } from "../context.ts";
import {
  type Awaited,
  type WaitInput as DisplayWait,
  waitOnDisplay,
} from "../display/wait_on_display.ts";
import { Opening, readyFirst } from "../window/open_program.ts";
import { openWindowsOf, toEntries, type WindowEntry } from "../window/window_answer.ts";
import type {
  Condition,
  ElementCondition,
  ProcessCondition,
  Until,
  WindowCondition,
} from "./conditions.ts";
import { waitForFile } from "./wait_for_file.ts";

interface WaitInput extends DisplayWait {
  readonly until: Until;
}

interface WaitResult {
  readonly status: "changed" | "stable" | "found" | "gone" | "ended";
  readonly match?: Match;
  readonly element?: z.output<typeof MatchedElement>;
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
): Promise<WaitResult> {
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
  const { display_num: displayNum, timeout_ms: timeoutMs } = input;
  const wait = { gone, signal, displayNum, timeoutMs };
  if ("process" in condition) return await waitForProcess(context, condition.process, wait);
  if ("window" in condition) return await waitForWindow(context, condition.window, wait);
  const wanted: ElementCondition = "text" in condition
    ? { text: condition.text, window: "all", exact: false }
    : condition.element;
  return await waitForElement(context, wanted, wait);
}

/** How long to wait, and on which display. */
interface Wait extends Pick<Awaited<unknown>, "gone" | "signal"> {
  readonly displayNum: number;
  readonly timeoutMs: number;
}

// Waits until a process has ended, or until one of a name runs, or none does.

/** Interval between checks of one process, in milliseconds. */
const PROCESS_POLL_MS = 25;
/** The same for all processes. */
const PROCESS_LIST_POLL_MS = 100;
/** A check is followed by a pause of this many times its length: it takes a tenth of a core. */
const BACKOFF_FACTOR = 9;
/** The longest pause, in milliseconds: a check that was slow once does not hide what comes next. */
const MAX_BACKOFF_MS = 1_000;

/**
 * The wait for an id ends at once when no process has it, and when the one that has it now has ended.
 * @throws ServiceError `unsupported` where processes cannot be followed
 */
async function waitForProcess(
  context: Context,
  condition: ProcessCondition,
  wait: Wait,
): Promise<WaitResult> {
  if ("name" in condition) return await waitForName(context, condition.name, wait);
  using followed = requireCapability(context.platform.processTable).follow(condition.pid);
  while (followed?.isAlive()) await pause(PROCESS_POLL_MS, wait.signal);
  return { status: wait.gone ? "gone" : "ended" };
}

async function waitForName(
  { platform: { processTable }, signal: client }: Context,
  name: string,
  { gone, signal }: Wait,
): Promise<WaitResult> {
  const table = requireCapability(processTable);
  // the first check has its time even with a timeout of 0
  for (let until = client;; until = signal) {
    const start = performance.now();
    const pid = await unlessAborted(table.find(name), until);
    if (gone && pid === undefined) return { status: "gone" };
    if (!gone && pid !== undefined) return { status: "found", pid };
    await pause(backoffAfter(performance.now() - start), signal);
  }
}

/** In milliseconds, like the length of the check before. */
export function backoffAfter(checkMs: number): number {
  return Math.min(MAX_BACKOFF_MS, Math.max(PROCESS_LIST_POLL_MS, BACKOFF_FACTOR * checkMs));
}

// Waits until a window is open, has a state or a title, or is closed.

/**
 * @throws ServiceError as listing them does; the signal's reason
 */
async function waitForWindow(
  context: Context,
  condition: WindowCondition,
  { gone, displayNum, ...wait }: Wait,
): Promise<WaitResult> {
  const windows = await openWindowsOf(context, displayNum);
  const fits = toMatcher(condition);
  const opening = new Opening();
  let isFirstCheck = true;
  return await pollUntil({
    ...wait,
    client: context.signal,
    changed: (signal) => windows.changed(signal),
    poll: async (signal): Promise<WaitResult | undefined> => {
      const wasThere = isFirstCheck;
      isFirstCheck = false;
      // a condition that matches a stored value would reveal it, letter by letter
      const entries = await toEntries(context, await windows.list(signal));
      const [found] = readyFirst(entries.filter(fits));
      if (gone) return found ? undefined : { status: "gone" };
      if (found === undefined || !wasThere && opening.remainingMs(found) > 0) return undefined;
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

// Waits until programs show an element, or no longer do.

/** Elements of one reading; more than any desktop has. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;
/** How long one reading may query programs, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;
/** How long browsers take to report a page that nobody has asked for before, in milliseconds. */
const PAGE_WAIT_MS = 2_000;

/**
 * @throws ServiceError `conflict` for an unknown ref; as reading does; the signal's reason
 */
async function waitForElement(
  context: Context,
  condition: ElementCondition,
  { gone, displayNum, ...wait }: Wait,
): Promise<WaitResult> {
  const { ref } = condition;
  const display_num = ref === undefined ? displayNum : findElement(context, ref).displayNum;
  const { accessibility } = await openAccessibility(context, display_num);
  /** Programs that did not answer from the beginning count as showing nothing. */
  let unresponsiveBefore: ReadonlySet<string> | undefined;
  // what a page that is not reported yet has must not count as gone
  const pageWaitMs = gone ? PAGE_WAIT_MS : 0;
  const scope = { window: condition.window, ref, display_num, pageWaitMs };
  return await pollUntil({
    ...wait,
    minFirstMs: MIN_FIRST_POLL_MS + pageWaitMs,
    client: context.signal,
    changed: (signal) => accessibility.changed(signal),
    poll: async (): Promise<WaitResult | undefined> => {
      const seen = await shareReading(context, scope).catch((error) => {
        if (!gone || !isGone(error, scope)) throw error;
      });
      if (!seen) return { status: "gone" };
      const { roots, tree: { unresponsive, truncated } } = seen;
      unresponsiveBefore ??= new Set(unresponsive);
      const hasAnswered = unresponsive.every((program) => unresponsiveBefore!.has(program));
      const { value: found } = await search(roots, toCriteria(condition)).next();
      if (found) {
        if (gone) return undefined;
        const element = toMatchedElement(found, ref ?? nameEntry(context, seen)(found));
        return { status: "found", element };
      }
      const isComplete = ref !== undefined || truncated.length === 0;
      return gone && hasAnswered && isComplete ? { status: "gone" } : undefined;
    },
  });
}

/** An element itself is wanted where nothing else is said. */
function toCriteria({ ref, window: _, ...criteria }: ElementCondition): Criteria {
  return ref === undefined ? criteria : { ...criteria, states: criteria.states ?? [] };
}

interface Scope {
  readonly window: string;
  readonly ref: string | undefined;
  readonly display_num: number;
  /** As in {@link TreeReading}: 0 for what comes, as the next reading has it. */
  readonly pageWaitMs: number;
}

type Seen = Redacted & ReadElements;

/** Whether the observed element or window is gone itself. */
function isGone(error: unknown, { ref, window }: Scope): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (ref !== undefined) return error.code === "conflict";
  return error.code === "not_found" && window !== "all" && window !== "focused";
}

const READINGS = new WeakMap<Context["session"], Map<string, SharedRun<Seen>>>();

/** All who wait at the same time share what is read; it is never older than their check. */
function shareReading(context: Context, scope: Scope): Promise<Seen> {
  const readings = READINGS.getOrInsertComputed(context.session, () => new Map());
  const { display_num, ref, window, pageWaitMs } = scope;
  const key = JSON.stringify([display_num, ref ?? window, ref, pageWaitMs]);
  const reading = readings.getOrInsertComputed(key, () => {
    // a reading goes on when one of those who share it leaves
    const { signal } = new AbortController();
    const shared = innerContext(context, { actor: context.actor, signal });
    return new SharedRun(() => readNow(shared, scope));
  });
  return reading.run().finally(() => {
    if (!reading.busy) readings.delete(key);
  });
}

async function readNow(context: Context, scope: Scope): Promise<Seen> {
  const { window, ref, display_num, pageWaitMs } = scope;
  const read = await readElements(context, {
    window,
    ref,
    display_num,
    include_hidden: false,
    timeout_ms: READ_TIMEOUT_MS,
    max_elements: MAX_ELEMENTS,
    max_depth: ref === undefined ? MAX_DEPTH : 1,
  }, { pageWaitMs });
  const redacted = await redactElements(context, read.tree.roots);
  if (ref === undefined) return { ...read, ...redacted };
  const roots = redacted.roots.map((root) => ({ ...root, children: [] }));
  return { ...read, ...redacted, roots };
}

// Checks what reports its changes until something is true of it.

/** Not every program reports every change: the longest interval between checks, in milliseconds. */
const MAX_POLL_INTERVAL_MS = 500;
/** The shortest pause between two checks, in milliseconds. */
const MIN_POLL_INTERVAL_MS = 20;
/** The default of {@link PollOptions.minFirstMs}. */
const MIN_FIRST_POLL_MS = 2_000;

interface PollOptions<T> {
  /** What was found; `undefined` while it is not there. */
  readonly poll: (signal: AbortSignal) => Promise<T | undefined>;
  /** Resolves at the next change. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
  /** Aborts when the time is up, or when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborts when the client disconnects. */
  readonly client: AbortSignal;
  readonly timeoutMs: number;
  /** The first check has at least this long, in milliseconds, even with a timeout of 0. */
  readonly minFirstMs?: number;
}

/**
 * Checks now, and after every change. Half of the time at most is spent on checks, however often
 * something changes.
 * @throws the signal's reason
 */
async function pollUntil<T>({ poll, changed, ...wait }: PollOptions<T>): Promise<T> {
  const { signal, client, timeoutMs, minFirstMs = MIN_FIRST_POLL_MS } = wait;
  using first = abortAfter(Math.max(timeoutMs, minFirstMs), client);
  for (let until = first.signal;; until = signal) {
    using following = followUntil(signal);
    // requested before the check: no change in between is missed
    const change = changed(following.signal);
    change.catch(() => {}); // without events, checks at regular intervals must do
    const start = performance.now();
    const found = await unlessAborted(poll(until), until);
    if (found !== undefined) return found;
    const tookMs = performance.now() - start;
    await within(
      change.catch(() => pause(MAX_POLL_INTERVAL_MS, following.signal)),
      MAX_POLL_INTERVAL_MS,
      signal,
    );
    await pause(Math.max(MIN_POLL_INTERVAL_MS, tookMs), signal);
  }
}
