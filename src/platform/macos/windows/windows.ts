/** The windows of macOS, by a script for osascript, in pixels of one display. */

import { z } from "zod";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region, Window, WindowChange, WindowId, Windows } from "../../types/mod.ts";
import type { Placement } from "../placement.ts";
import type { Programs } from "../programs.ts";
import { needsAccessibility } from "../refusals.ts";
import { runScript } from "../script.ts";
import { toPixels, toPoints } from "./scale.ts";
import { WINDOW_SCRIPT } from "./window_script.ts";

/** Pause between two looks at the windows; each runs a process for tenths of a second. */
const LOOK_MS = 250;

const Place = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };
const Listed = z.object({
  windows: z.array(z.object({
    ...Place,
    number: z.int(),
    pid: z.int(),
    app: z.string().nullable(),
    title: z.string(),
    minimized: z.boolean(),
  })),
  front: z.int(),
  areas: z.array(z.object(Place)),
});
type Listed = z.output<typeof Listed>;
type MacWindow = Listed["windows"][number];
const Changed = z.object({ refused: z.enum(["accessibility", "closed", "untold"]).optional() });

export class MacosWindows implements Windows {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set([
    ...["focus", "minimize", "maximize", "restore", "close", "move", "resize"] as const,
  ]);
  /** Where windows were before they were maximized, in points: macOS does not keep that. */
  readonly #before = new Map<number, Region>();

  /** @param placement of the display, now */
  constructor(
    private readonly programs: Programs,
    private readonly placement: () => Placement,
  ) {}

  /** All windows of the desktop: those of other displays lie beyond the screen. */
  async list(signal: AbortSignal): Promise<readonly Window[]> {
    const listed = await this.#read(signal);
    return listed.windows.map((window) => this.#describe(window, listed));
  }

  async active(signal: AbortSignal): Promise<Window | null> {
    const windows = await this.list(signal);
    return windows.find(({ states }) => states.includes("active")) ?? null;
  }

  async find(id: WindowId, signal: AbortSignal): Promise<Window> {
    const window = (await this.list(signal)).find((one) => one.id === id);
    if (window === undefined) throw closedWindow(id);
    return window;
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    if (!/^\d{1,10}$/.test(id)) throw closedWindow(id);
    const job = await this.#plan(Number(id), change, signal);
    const { refused } = Changed.parse(await this.#run({ ...job, number: Number(id) }, signal));
    if (refused === "accessibility") throw needsAccessibility();
    if (refused === "closed") throw closedWindow(id);
    if (refused === undefined) return;
    throw new ServiceError("unsupported", `The program of window "${id}" does not tell about it`);
  }

  /** Of the windows of programs; menus and the Dock are none. */
  async at(point: Point, signal: AbortSignal): Promise<WindowId | undefined> {
    const { x, y } = toPoints(point, this.placement());
    const { windows } = await this.#read(signal);
    const found = windows.find((one) =>
      !one.minimized && x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height
    );
    return found && String(found.number);
  }

  /** Windows are looked at again after this, because macOS tells no other program of a change. */
  async changed(signal: AbortSignal): Promise<void> {
    await pause(LOOK_MS, signal);
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
        if (area === undefined) throw new ServiceError("unsupported", "This Mac shows no display");
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
      ...{ id: String(number), title, app, pid, bounds: frame, frame, desktop: null },
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
  return areas.find((area) =>
    middle.x >= area.x && middle.x < area.x + area.width &&
    middle.y >= area.y && middle.y < area.y + area.height
  ) ?? areas[0];
}

function isNear(one: Region, other: Region): boolean {
  return (["x", "y", "width", "height"] as const)
    .every((key) => Math.abs(one[key] - other[key]) <= 1);
}

function regionOf({ x, y, width, height }: Region): Region {
  return { x, y, width, height };
}

function closedWindow(id: WindowId): ServiceError {
  return new ServiceError("not_found", `There is no window "${id}" any more`);
}
