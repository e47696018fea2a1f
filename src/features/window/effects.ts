/** What each change of a window is to lead to, and how it is said when it does not. */

import type { Region, Window, WindowChange, WindowState } from "../../platform/types/mod.ts";

/**
 * `done`: as it was asked. `partly`: its place or size has changed, but is another one than asked.
 * `unknown`: the system does not tell.
 */
export type Effect = "done" | "partly" | "none" | "unknown";

/** @param now absent: it has closed */
export function judgeEffect(
  change: WindowChange,
  before: Window,
  now: Window | undefined,
): Effect {
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

function judgeArea(before: Window, now: Window, isAsked: (area: Region) => boolean): Effect {
  if (now.frame === null) return "unknown";
  if (isAsked(now.frame)) return "done";
  return describeArea(before.frame) === describeArea(now.frame) ? "none" : "partly";
}

/** Why nothing has happened, as far as it shows; half a sentence. */
export function explainRefusal(change: WindowChange, now: Window): string {
  const { states, frame } = now;
  const obstacle = (["fullscreen", "maximized", "minimized"] as const)
    .find((state) => states.includes(state));
  switch (change.kind) {
    case "focus":
      return "did not get the keyboard: its program does not take it, or the window manager refuses";
    case "minimize":
      return "was not minimized: its program or the window manager does not allow it";
    case "maximize":
      return "was not maximized: its program or the window manager does not allow it";
    case "restore":
      return `is still ${
        obstacle ?? "as it was"
      }: its program or the window manager does not allow it`;
    case "move":
    case "resize":
      return obstacle === undefined
        ? `stays at ${describeArea(frame)}: its program or the window manager does not allow it`
        : `stays at ${describeArea(frame)}: it is ${obstacle}, restore it first`;
    case "close":
      return "is still open: its program may ask what to do first";
  }
}

function describeArea(area: Region | null): string {
  if (area === null) return "an unknown place";
  return `${area.width}x${area.height} pixels at ${area.x},${area.y}`;
}
