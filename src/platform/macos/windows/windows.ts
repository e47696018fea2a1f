/** The windows of macOS, by a script for osascript, in pixels of one display. */

import { z } from "zod";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { hasPoint } from "../../../imaging/boxes.ts";
import { ALL_CHANGES, closedWindow, ListedWindows, toPixels } from "../../listed_windows.ts";
import type { Point, Region, Window, WindowChange, WindowId, Windows } from "../../types/mod.ts";
import type { Placement } from "../screen.ts";
import { needsAccessibility, type Programs, runScript, SCRIPT_TOOLS } from "../programs.ts";

/** Interval between two lists of the windows; each runs a process for tenths of a second. */
const POLL_INTERVAL_MS = 250;

const WindowBounds = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };
const Listed = z.object({
  windows: z.array(z.object({
    ...WindowBounds,
    number: z.int(),
    pid: z.int(),
    app: z.string().nullable(),
    title: z.string(),
    minimized: z.boolean(),
  })),
  front: z.int(),
  areas: z.array(z.object(WindowBounds)),
});
type Listed = z.output<typeof Listed>;
type MacWindow = Listed["windows"][number];
const Changed = z.object({ refused: z.enum(["accessibility", "closed", "unknown"]).optional() });

export class MacosWindows extends ListedWindows implements Windows {
  readonly changes = ALL_CHANGES;
  /** Where windows were before they were maximized, in points: macOS does not keep that. */
  readonly #before = new Map<number, Region>();

  /** @param placement of the display, now */
  constructor(private readonly programs: Programs, private readonly placement: () => Placement) {
    super();
  }

  /** All windows of the desktop: those of other displays lie beyond the screen. */
  async list(signal: AbortSignal): Promise<readonly Window[]> {
    const listed = await this.#read(signal);
    return listed.windows.map((window) => this.#describe(window, listed));
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    if (!/^\d{1,10}$/.test(id)) throw closedWindow(id);
    const job = await this.#plan(Number(id), change, signal);
    const { refused } = Changed.parse(await this.#run({ ...job, number: Number(id) }, signal));
    if (refused === "accessibility") throw needsAccessibility();
    if (refused === "closed") throw closedWindow(id);
    if (refused === undefined) return;
    throw new ServiceError("unsupported", `The program of window "${id}" does not report it`);
  }

  /** Of the windows of programs; menus and the Dock are none. */
  async at(point: Point, signal: AbortSignal): Promise<WindowId | undefined> {
    const { x, y } = toPoints(point, this.placement());
    const { windows } = await this.#read(signal);
    const found = windows.find((one) => !one.minimized && hasPoint(one, { x, y }));
    return found && String(found.number);
  }

  /** The caller lists the windows again after this: macOS notifies no other program of a change. */
  async changed(signal: AbortSignal): Promise<void> {
    await pause(POLL_INTERVAL_MS, signal);
  }

  async #plan(
    number: number,
    change: WindowChange,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const placement = this.placement();
    const { scale } = placement;
    switch (change.kind) {
      case "move":
        return { do: "move", ...toPoints(change.to, placement) };
      case "resize":
        return { do: "resize", width: change.width / scale, height: change.height / scale };
      case "maximize": {
        const { windows, areas } = await this.#read(signal);
        const window = windows.find((one) => one.number === number);
        if (window === undefined) throw closedWindow(String(number));
        const area = findArea(window, areas);
        if (area === undefined) throw new ServiceError("unsupported", "This Mac has no display");
        if (!isNear(window, area)) this.#before.set(number, regionOf(window));
        return { do: "place", ...area };
      }
      case "restore": {
        const { windows } = await this.#read(signal);
        const minimized = windows.find((one) => one.number === number)?.minimized;
        const before = this.#before.get(number);
        if (minimized || before === undefined) return { do: "restore" };
        this.#before.delete(number);
        return { do: "place", ...before };
      }
      default:
        return { do: change.kind };
    }
  }

  #describe(window: MacWindow, { windows, front, areas }: Listed): Window {
    const { minimized, number, pid, app, title } = window;
    const active = windows.find((one) => one.pid === front && !one.minimized);
    const frame = minimized ? null : toPixels(regionOf(window), this.placement());
    const area = findArea(window, areas);
    const isMaximized = !minimized && area !== undefined && isNear(window, area);
    return {
      id: String(number),
      title,
      app,
      pid,
      bounds: frame,
      frame,
      desktop: null,
      states: [
        ...(active?.number === number ? ["active" as const] : []),
        ...(minimized ? ["minimized" as const] : []),
        ...(isMaximized ? ["maximized" as const] : []),
      ],
    };
  }

  async #read(signal: AbortSignal): Promise<Listed> {
    return Listed.parse(await this.#run({ do: "list" }, signal));
  }

  async #run(job: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const { timeoutMs } = this.programs;
    const args = ["windows", JSON.stringify(job)];
    const what = job["do"] === "list" ? "list the windows" : "change the window";
    return await runScript(this.programs, { script: WINDOW_SCRIPT, args, timeoutMs, signal, what });
  }
}

/** The area of the display that shows the middle of a window. */
function findArea({ x, y, width, height }: Region, areas: readonly Region[]): Region | undefined {
  const middle = { x: x + width / 2, y: y + height / 2 };
  return areas.find((area) => hasPoint(area, middle)) ?? areas[0];
}

function isNear(one: Region, other: Region): boolean {
  return (["x", "y", "width", "height"] as const)
    .every((key) => Math.abs(one[key] - other[key]) <= 1);
}

function regionOf({ x, y, width, height }: Region): Region {
  return { x, y, width, height };
}

// The script for `osascript -l JavaScript` that lists windows and changes them. It gets what to do as
// one argument, which names no more than numbers.

/**
 * What both scripts use: the windows that the window server knows, and those that programs
 * report to System Events. Only their place, size and title say which of them are the same.
 * - Titles need the permission for Screen Recording; System Events needs that for Accessibility.
 * - Windows of layer 0 are those of programs, 3 float above them, 8 are modal.
 */
export const WINDOW_PARTS = `${SCRIPT_TOOLS}
ObjC.import("AppKit");
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");
const ON_SCREEN = 1;
const NO_DESKTOP = 16;
const LAYERS = [0, 3, 8];
const REGULAR = 0;

function serverWindows(options) {
  const reported = $.CGWindowListCopyWindowInfo(options | NO_DESKTOP, 0);
  const all = ObjC.deepUnwrap(ObjC.castRefToObject(reported)) || [];
  return all.filter((one) => LAYERS.includes(Number(one.kCGWindowLayer)) && Number(one.kCGWindowAlpha) > 0)
    .map((one) => ({
      number: Number(one.kCGWindowNumber),
      pid: Number(one.kCGWindowOwnerPID),
      app: one.kCGWindowOwnerName || null,
      title: one.kCGWindowName || "",
      x: Number(one.kCGWindowBounds.X),
      y: Number(one.kCGWindowBounds.Y),
      width: Number(one.kCGWindowBounds.Width),
      height: Number(one.kCGWindowBounds.Height),
      onScreen: Boolean(one.kCGWindowIsOnscreen),
    }));
}

function processOf(pid) {
  return Application("System Events").applicationProcesses.whose({ unixId: pid })[0];
}

function reportedWindows(pid) {
  const windows = processOf(pid).windows;
  const names = windows.name();
  const places = windows.position();
  const sizes = windows.size();
  const minimized = attempt(() => windows.attributes.byName("AXMinimized").value(), []);
  return names.map((name, index) => ({
    index,
    title: name || "",
    x: places[index][0],
    y: places[index][1],
    width: sizes[index][0],
    height: sizes[index][1],
    minimized: minimized[index] === true,
  }));
}

function isNear(one, other) {
  return ["x", "y", "width", "height"].every((key) => Math.abs(one[key] - other[key]) <= 1);
}

function sameWindow(one, all) {
  const near = all.filter((other) => isNear(one, other));
  return near.find(({ title }) => title === one.title) || near[0] ||
    all.find(({ title }) => title !== "" && title === one.title);
}

function frontPid() {
  return attempt(() => Number($.NSWorkspace.sharedWorkspace.frontmostApplication.processIdentifier), 0);
}
`;

/**
 * `{"do":"list"}` prints the windows, topmost first, the process in front, and the areas that are free
 * of the menu bar and the Dock. The other jobs concern the window of a `number`, in points.
 */
export const WINDOW_SCRIPT = `${WINDOW_PARTS}
const LONGEST_MS = 3000;

function isRegular(pid) {
  const program = $.NSRunningApplication.runningApplicationWithProcessIdentifier(pid);
  return attempt(() => Number(program.activationPolicy), REGULAR) === REGULAR;
}

function minimizedWindows(shown) {
  const end = Date.now() + LONGEST_MS;
  const hidden = serverWindows(0).filter(({ onScreen }) => !onScreen);
  const found = [];
  for (const pid of [...new Set(hidden.map((one) => one.pid))]) {
    if (Date.now() > end || !attempt(() => isRegular(pid), false)) continue;
    const own = hidden.filter((one) => one.pid === pid);
    for (const reported of attempt(() => reportedWindows(pid), [])) {
      const one = reported.minimized && sameWindow(reported, own);
      if (one) found.push({ ...one, title: reported.title || one.title, minimized: true });
    }
  }
  return found;
}

function titled(windows) {
  const untitled = [...new Set(windows.filter(({ title }) => title === "").map(({ pid }) => pid))];
  const reported = new Map(untitled.map((pid) => [pid, attempt(() => reportedWindows(pid), [])]));
  return windows.map((one) => {
    const same = one.title === "" && sameWindow(one, reported.get(one.pid));
    return same ? { ...one, title: same.title } : one;
  });
}

function areas() {
  const screens = $.NSScreen.screens;
  const height = Number(screens.objectAtIndex(0).frame.size.height);
  return Array.from({ length: Number(screens.count) }, (_, i) => {
    const { origin, size } = screens.objectAtIndex(i).visibleFrame;
    return {
      x: Number(origin.x),
      y: height - Number(origin.y) - Number(size.height),
      width: Number(size.width),
      height: Number(size.height),
    };
  });
}

function list() {
  const shown = serverWindows(ON_SCREEN).map((one) => ({ ...one, minimized: false }));
  const mayAsk = trusted();
  const windows = mayAsk ? [...titled(shown), ...minimizedWindows(shown)] : shown;
  return { windows, front: frontPid(), areas: attempt(areas, []) };
}

const CHANGES = {
  focus: (window, process) => {
    window.attributes.byName("AXMinimized").value = false;
    window.actions.byName("AXRaise").perform();
    process.frontmost = true;
  },
  minimize: (window) => window.attributes.byName("AXMinimized").value = true,
  restore: (window) => {
    if (attempt(() => window.attributes.byName("AXFullScreen").value(), false)) {
      window.attributes.byName("AXFullScreen").value = false;
    }
    window.attributes.byName("AXMinimized").value = false;
  },
  close: (window) => window.buttons.whose({ subrole: "AXCloseButton" })[0].click(),
  move: (window, _, { x, y }) => window.position = [x, y],
  resize: (window, _, { width, height }) => window.size = [width, height],
  place: (window, _, { x, y, width, height }) => {
    window.position = [x, y];
    window.size = [width, height];
  },
};

function change(job) {
  if (!trusted()) return { refused: "accessibility" };
  const known = serverWindows(0).find(({ number }) => number === job.number);
  if (!known) return { refused: "closed" };
  const same = sameWindow(known, reportedWindows(known.pid));
  if (!same) return { refused: "unknown" };
  const process = processOf(known.pid);
  CHANGES[job.do](process.windows[same.index], process, job);
  return { done: true };
}

function run([what, text]) {
  const job = JSON.parse(text);
  return JSON.stringify(job.do === "list" ? list() : change(job));
}
`;

// Converts between points, which span all displays of a Mac, and pixels of one of them.

function toPoints({ x, y }: Point, placement: Placement): Point {
  const { scale } = placement;
  return { x: x / scale + placement.x, y: y / scale + placement.y };
}
