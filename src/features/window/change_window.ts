/** Changes a window, waits for the effect, and says what really happened. */

import { abortAfter, within } from "../../core/deadline.ts";
import { ignoreCode, ServiceError } from "../../core/errors.ts";
import { requireCapability } from "../../platform/capability.ts";
import type {
  Display,
  Region,
  Window,
  WindowChange,
  Windows,
  WindowState,
} from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { nameWindow, pollUntil, toEntries, type WindowEntry } from "./window_answer.ts";
import { DisplaySessions } from "../input/display_sessions.ts";

/** How long a window keeps another position or size than requested before that counts as its answer. */
const SETTLE_MS = 250;

export interface ChangeInput {
  readonly id: string;
  readonly timeout_ms: number;
  readonly display_num: number;
}

interface Changed {
  readonly result: "confirmed" | "adjusted" | "unverified";
  readonly window: WindowEntry | null;
}

/** @throws ServiceError `conflict` when nothing has happened; `not_found`; `unsupported` */
export async function changeWindow(
  context: Context,
  { id, timeout_ms, display_num }: ChangeInput,
  change: WindowChange,
): Promise<Changed> {
  const display = await context.platform.displays.open(display_num);
  const windows = requireCapability(display.windows);
  const before = await windows.find(id, context.signal);
  const others = change.kind === "close" ? await windows.list(context.signal) : [];
  return await withInputLock(context, display, change, async (signal) => {
    await windows.change(id, change, signal);
    using waiting = abortAfter(timeout_ms, signal);
    const now = await waitForEffect(windows, change, { before, signal: waiting.signal });
    signal.throwIfAborted();
    return await describeEffect(context, windows, { change, before, now, others, signal });
  });
}

/** Keys that are typed meanwhile go to the window that had them before, or to the one that has them then. */
async function withInputLock<T>(
  context: Context,
  display: Display,
  { kind }: WindowChange,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // a program that asks whether to save needs input before its window closes
  if (kind === "close" || !display.input.ready) return await run(context.signal);
  const { inputLock } = await context.session.use(DisplaySessions).open(display.displayNum);
  return await inputLock.run(context, ({ signal }) => run(signal));
}

interface EffectWait {
  readonly before: Window;
  readonly signal: AbortSignal;
}

/** Resolves with the window when the effect is there, or at the signal; `undefined`: it has closed. */
async function waitForEffect(
  windows: Windows,
  change: WindowChange,
  { before, signal }: EffectWait,
): Promise<Window | undefined> {
  let last: Window | undefined = before;
  await pollUntil(windows, signal, async (changed) => {
    last = await ignoreCode("not_found", () => windows.find(before.id, signal));
    const effect = judgeEffect(change, before, last);
    if (effect !== "partly") return effect !== "none" || last === undefined;
    return !await within(changed, SETTLE_MS, signal);
  });
  return last;
}

interface After extends EffectWait {
  readonly change: WindowChange;
  readonly now: Window | undefined;
  /** The windows that were open before. */
  readonly others: readonly Window[];
}

async function describeEffect(
  context: Context,
  windows: Windows,
  { change, before, now, others, signal }: After,
): Promise<Changed> {
  const effect = judgeEffect(change, before, now);
  const [window = null] = await toEntries(context, now === undefined ? [] : [now]);
  if (effect === "done") return { result: "confirmed", window };
  if (effect === "partly") return { result: "adjusted", window };
  if (effect === "unknown") return { result: "unverified", window };
  if (now === undefined) {
    throw new ServiceError("conflict", `Window ${nameWindow(before)} was closed in the meantime`);
  }
  const opened = others.length === 0 ? "" : describeOpened(await windows.list(signal), others);
  const message = `Window ${nameWindow(now)} ${explainRefusal(change, now)}${opened}`;
  throw new ServiceError("conflict", message);
}

/** A question of a program is in a window of its own. */
function describeOpened(now: readonly Window[], before: readonly Window[]): string {
  const added = now.filter(({ id }) => !before.some((known) => known.id === id));
  if (added.length === 0) return "";
  return `; opened since then: ${added.map(nameWindow).join(", ")}`;
}

// What each change of a window is to lead to, and how it is said when it does not.

/**
 * `done`: as requested. `partly`: its position or size has changed, but not as requested. `unknown`:
 * the system does not report it.
 */
type Effect = "done" | "partly" | "none" | "unknown";

/** @param now absent: it has closed */
function judgeEffect(change: WindowChange, before: Window, now: Window | undefined): Effect {
  if (change.kind === "close") return now === undefined ? "done" : "none";
  if (now === undefined) return "none";
  const { states } = now;
  const has = (state: WindowState) => states.includes(state);
  switch (change.kind) {
    case "focus":
      return has("active") && !has("minimized") ? "done" : "none";
    case "minimize":
      return has("minimized") ? "done" : "none";
    case "maximize":
      return has("maximized") ? "done" : "none";
    case "restore":
      return judgeRestored(before, has) ? "done" : "none";
    case "move":
      return judgeArea(before, now, ({ x, y }) => x === change.to.x && y === change.to.y);
    case "resize":
      return judgeArea(
        before,
        now,
        ({ width, height }) => width === change.width && height === change.height,
      );
  }
}

/** One that was minimized comes back as it was before. */
function judgeRestored(before: Window, has: (state: WindowState) => boolean): boolean {
  if (has("minimized")) return false;
  return before.states.includes("minimized") || (!has("maximized") && !has("fullscreen"));
}

function judgeArea(before: Window, now: Window, isRequested: (area: Region) => boolean): Effect {
  if (now.frame === null) return "unknown";
  if (isRequested(now.frame)) return "done";
  return describeArea(before.frame) === describeArea(now.frame) ? "none" : "partly";
}

const NOT_ALLOWED = "its program or the window manager does not allow it";

/** Why nothing has happened, as far as it is known; half a sentence. */
function explainRefusal(change: WindowChange, now: Window): string {
  const { states, frame } = now;
  const obstacle = (["fullscreen", "maximized", "minimized"] as const)
    .find((state) => states.includes(state));
  switch (change.kind) {
    case "focus":
      return "did not get the keyboard focus: its program does not take it, or the window manager refuses";
    case "minimize":
      return `was not minimized: ${NOT_ALLOWED}`;
    case "maximize":
      return `was not maximized: ${NOT_ALLOWED}`;
    case "restore":
      return `is still ${obstacle ?? "as it was"}: ${NOT_ALLOWED}`;
    case "move":
    case "resize":
      return obstacle === undefined
        ? `stays at ${describeArea(frame)}: ${NOT_ALLOWED}`
        : `stays at ${describeArea(frame)}: it is ${obstacle}, restore it first`;
    case "close":
      return "is still open: its program may ask what to do first";
  }
}

function describeArea(area: Region | null): string {
  if (area === null) return "an unknown position";
  return `${area.width}x${area.height} pixels at ${area.x},${area.y}`;
}
