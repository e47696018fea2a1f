/** The window of an element: where it shows, and that it has the keyboard, without which no key arrives. */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Place, visiblePart } from "./uncovered.ts";
import type { Display, Element, WindowId, Windows } from "../../platform/types/mod.ts";

/**
 * The window of an element, or the popup in which it is, and the part of the display in which it can show.
 * @throws ServiceError `conflict`: the window is closed or minimized
 */
export async function findPlace(
  { size, windows }: Display,
  { window, description }: InWindow,
  { popup }: Pick<Element, "popup">,
  signal: AbortSignal,
): Promise<Place> {
  const id = popup ?? window; // a popup shows also where its window ends
  const screen = { x: 0, y: 0, ...size };
  if (id === undefined || !windows.ready) return { window: id, view: screen };
  const found = await unlessClosed(windows.use.find(id, signal), description);
  if (found.states.includes("minimized")) {
    throw new ServiceError(
      "conflict",
      `The ${description} does not show: its window ${JSON.stringify(found.title)} is minimized`,
    );
  }
  return { window: id, view: visiblePart(found.bounds ?? screen, screen) ?? screen };
}

/** How long a window manager has to follow, in milliseconds. */
const FOLLOW_MS = 1_000;
const LOOK_MS = 15;

interface InWindow {
  readonly window: WindowId | undefined;
  /** For messages. */
  readonly description: string;
}

/**
 * Resolves when the window of the element is the active one; at once where the system does not say
 * which window that is.
 * @throws ServiceError `conflict`: it is closed, or does not become the active one
 */
export async function activateWindow(
  { windows }: Display,
  { window, description }: InWindow,
  signal: AbortSignal,
): Promise<void> {
  if (window === undefined || !windows.ready) return;
  if (await isActive(windows.use, window, signal)) return;
  if (!windows.use.changes.has("focus")) {
    throw new ServiceError(
      "conflict",
      `The window of the ${description} is not the active one, and this system lets no other program activate it`,
    );
  }
  await unlessClosed(windows.use.change(window, { kind: "focus" }, signal), description);
  for (const end = performance.now() + FOLLOW_MS; !await isActive(windows.use, window, signal);) {
    if (performance.now() >= end) {
      throw new ServiceError(
        "conflict",
        `The window of the ${description} has not become the active one within ${FOLLOW_MS} ms`,
      );
    }
    await pause(LOOK_MS, signal);
  }
}

async function isActive(windows: Windows, id: WindowId, signal: AbortSignal): Promise<boolean> {
  return (await windows.active(signal))?.id === id;
}

async function unlessClosed<T>(asked: Promise<T>, description: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not_found")) throw error;
    throw new ServiceError(
      "conflict",
      `The window of the ${description} has been closed: take a new snapshot and use its refs`,
    );
  }
}
