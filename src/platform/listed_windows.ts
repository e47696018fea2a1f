/** The windows of a system that tells all it knows of them in one list, and where they are on it. */

import { ServiceError } from "../core/errors.ts";
import type { Point, Region, Window, WindowId, Windows } from "./types/mod.ts";

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

/** Where an output is on the desktop, and its pixels per unit of that. */
export interface OutputPosition extends Point {
  readonly scale: number;
}

/** A region of the desktop in pixels of the output. */
export function toPixels({ x, y, width, height }: Region, position: OutputPosition): Region {
  const scaled = (value: number) => Math.round(value * position.scale);
  return {
    x: scaled(x - position.x),
    y: scaled(y - position.y),
    width: scaled(width),
    height: scaled(height),
  };
}
