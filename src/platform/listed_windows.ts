/** The windows of a system that tells all it knows of them in one list. */

import { ServiceError } from "../core/errors.ts";
import type { Window, WindowId, Windows } from "./types/mod.ts";

export const ALL_CHANGES: Windows["changes"] = new Set(
  ["focus", "minimize", "maximize", "restore", "close", "move", "resize"],
);

export abstract class ListedWindows {
  abstract list(signal: AbortSignal): Promise<readonly Window[]>;

  async active(signal: AbortSignal): Promise<Window | null> {
    const windows = await this.list(signal);
    return windows.find(({ states }) => states.includes("active")) ?? null;
  }

  /** @throws ServiceError `not_found` */
  async find(id: WindowId, signal: AbortSignal): Promise<Window> {
    const found = (await this.list(signal)).find((window) => window.id === id);
    if (found === undefined) throw closedWindow(id);
    return found;
  }
}

export function closedWindow(id: WindowId): ServiceError {
  const message = `There is no window "${id}": it was closed, or never existed`;
  return new ServiceError("not_found", message);
}
