/** Follows one window for a viewer that sees nothing else of the display. */

import { pause } from "../../core/deadline.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import { overlap } from "../../imaging/boxes.ts";
import { requireCapability } from "../../platform/capability.ts";
import { closedWindow } from "../../platform/listed_windows.ts";
import type { Display, Displays, Region, WindowId } from "../../platform/types/mod.ts";

/** A window that is dragged is followed so often. */
const MOVE_INTERVAL_MS = 50;
/** A display that is gone is looked for so often. */
const RETRY_MS = 500;

export interface WindowView {
  readonly view: Region | "hidden";
  /** Why nothing of it can be seen. */
  readonly reason: string;
}

interface WantedWindow {
  readonly id: WindowId;
  /** The process that it must be of, where it matters and is known. */
  readonly pid: number | null | undefined;
}

/** @throws ServiceError `not_found`: it is closed; `unsupported`: its place is not known here */
export async function findWindowView(
  { windows, size }: Display,
  { id, pid }: WantedWindow,
  signal: AbortSignal,
): Promise<WindowView> {
  const found = await requireCapability(windows).find(id, signal);
  if (typeof pid === "number" && found.pid !== pid) throw closedWindow(id);
  const { frame, states } = found;
  if (frame === null) {
    const message = "This system does not report the positions of its windows";
    throw new ServiceError("unsupported", message);
  }
  const state = (["minimized", "hidden"] as const).find((each) => states.includes(each));
  if (state !== undefined) return { view: "hidden", reason: `The window is ${state}` };
  const view = overlap(frame, { x: 0, y: 0, ...size });
  return view === undefined
    ? { view: "hidden", reason: "The window is off the screen" }
    : { view, reason: "" };
}

interface Followed {
  readonly displays: Displays;
  readonly displayNum: number;
  readonly window: WantedWindow;
  readonly onChange: (now: WindowView) => void;
}

/** Until the window is closed, or the signal aborts. Never rejects. */
export async function followWindow(followed: Followed, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOn(followed, signal);
    } catch (error) {
      if (signal.aborted) return;
      followed.onChange({ view: "hidden", reason: describe(error) });
      if (hasCode(error, "not_found")) return; // no other window gets its id
    }
    await pause(RETRY_MS, signal).catch(() => {}); // the loop ends then
  }
}

async function followOn(
  { displays, displayNum, window, onChange }: Followed,
  signal: AbortSignal,
): Promise<never> {
  const display = await displays.open(displayNum);
  while (true) {
    const changed = requireCapability(display.windows).changed(signal);
    changed.catch(() => {}); // the place may not be found before
    onChange(await findWindowView(display, window, signal));
    await changed;
    await pause(MOVE_INTERVAL_MS, signal);
  }
}

function describe(error: unknown): string {
  if (hasCode(error, "not_found")) return "The window is closed";
  return error instanceof ServiceError ? error.message : "The window cannot be found";
}
