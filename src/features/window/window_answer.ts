/** A window as operations answer it. */

import { z } from "zod";
import { followUntil, pause } from "../../core/deadline.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { Region, Window, Windows } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type Redacting, redactTexts } from "../secrets/redact_texts.ts";

const WindowArea = z.object({
  x: z.int().describe("The left edge, in pixels of the display; negative beyond its left edge."),
  y: z.int().describe("The top edge, in pixels of the display."),
  width: z.int().min(0).describe("The size, in pixels."),
  height: z.int().min(0).describe("The size, in pixels."),
});

const STATES = [
  "active",
  "minimized",
  "maximized",
  "fullscreen",
  "above",
  "modal",
  "attention",
  "hidden",
] as const satisfies readonly Window["states"][number][];

export const WindowEntry = z.object({
  id: z.string().describe(
    "Identifies the window while it is open: `0x3a00007` on X11, as `wmctrl` and `xdotool` accept it.",
  ),
  title: z.string().describe("The title; empty if it has none."),
  app: z.string().nullable().describe(
    "The program as the desktop names it: the class of WM_CLASS, the app id, or the window class. `null` if unknown.",
  ),
  pid: z.int().nullable().describe(
    "The process of its program; `null` if unknown, as for a program on another computer.",
  ),
  bounds: WindowArea.nullable().describe(
    "The content, without the frame that the window manager draws; `null` if the system does not report it.",
  ),
  frame: WindowArea.nullable().describe(
    "The visible area, including the frame; `null` if the system does not report it. `window/move` and `window/resize` refer to this area.",
  ),
  desktop: z.int().min(0).nullable().describe(
    "The number of its desktop (workspace), from 0; `null` if it is on all of them, or unknown.",
  ),
  states: z.array(z.enum(STATES)).describe(
    "`active`: it has the keyboard focus. `above`: it stays above others. `attention`: it requests attention. `hidden`: it is not visible although it is not minimized, for example because it is on another desktop.",
  ),
}).meta({ description: "A window of the display." });

export type WindowEntry = z.output<typeof WindowEntry>;

/** Without values of the keychain, which pages and terminals put into their titles. */
export async function toEntries(
  context: Redacting,
  windows: readonly Window[],
): Promise<WindowEntry[]> {
  const texts = windows.flatMap(({ title, app }) => [title, app ?? ""]);
  const { redacted } = await redactTexts(context, texts);
  return windows.map((window, at) =>
    toEntry({
      ...window,
      title: redacted[2 * at]!,
      app: window.app === null ? null : redacted[2 * at + 1]!,
    })
  );
}

function toEntry({ id, title, app, pid, bounds, frame, desktop, states }: Window): WindowEntry {
  return {
    id,
    title,
    app,
    pid,
    desktop,
    bounds: toArea(bounds),
    frame: toArea(frame),
    states: [...states],
  };
}

function toArea(region: Region | null): WindowEntry["bounds"] {
  if (region === null) return null;
  const { x, y, width, height } = region;
  return { x, y, width, height };
}

/** For messages: `"Report" (0x3a00007)`. */
export function nameWindow({ id, title }: Pick<Window, "id" | "title">): string {
  return title === "" ? `"${id}"` : `"${title}" (${id})`;
}

interface OnDisplay {
  readonly display_num: number;
}

export async function listWindows(
  context: Context,
  { display_num }: OnDisplay,
): Promise<WindowEntry[]> {
  const windows = await openWindowsOf(context, display_num);
  return await toEntries(context, await windows.list(context.signal));
}

export async function findActiveWindow(
  context: Context,
  { display_num }: OnDisplay,
): Promise<WindowEntry | null> {
  const windows = await openWindowsOf(context, display_num);
  const active = await windows.active(context.signal);
  return active && (await toEntries(context, [active]))[0]!;
}

/** @throws ServiceError `unsupported` where windows cannot be seen, with the reason */
export async function openWindowsOf(
  { platform }: Pick<Context, "platform">,
  displayNum: number,
): Promise<Windows> {
  return requireCapability((await platform.displays.open(displayNum)).windows);
}

// Checks windows at each of their changes, until something is true.

/**
 * Minimum time between two checks, in milliseconds: a program may change its title all the time,
 * and each check queries the system for every window.
 */
const MIN_POLL_INTERVAL_MS = 20;

/**
 * Calls `check` now and after each change; resolves when that returns true or the signal aborts.
 * @param wake something else after which it checks again, once
 * @param check is given a promise of the next change, which it may wait for
 */
export async function pollUntil(
  windows: Windows,
  signal: AbortSignal,
  check: (changed: Promise<void>) => Promise<boolean>,
  wake?: Promise<unknown>,
): Promise<void> {
  let isWoken = false;
  const woken = wake?.then(() => {
    isWoken = true;
  });
  using following = followUntil(signal);
  while (!signal.aborted) {
    const nextCheckAt = performance.now() + MIN_POLL_INTERVAL_MS;
    const wasWoken = isWoken; // what wakes during the check is checked once more
    // requested before the check: no change in between is missed
    const changed = windows.changed(following.signal);
    changed.catch(() => {});
    try {
      if (await check(changed)) return;
      await (woken === undefined || wasWoken ? changed : Promise.race([changed, woken]));
      const remainingMs = nextCheckAt - performance.now();
      if (remainingMs > 0) await pause(remainingMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

// What the operations on windows share: the id of a window, and why they fail.

const MAX_ID = 64;

export const SEEING = {
  permission_denied: "The system does not allow the service to read windows.",
  unsupported: "Windows cannot be listed or changed here; the message says why.",
  unavailable: "The display is not available now, or too many input operations are waiting.",
};

export const NAMING = {
  ...SEEING,
  not_found: "The window was closed, or there is no window with this id.",
};

export const WindowIdField = z.string().min(1).max(MAX_ID).describe(
  "The `id` of the window, from `window/list`.",
);
