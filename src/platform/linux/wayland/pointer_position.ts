/**
 * Where the pointer is: its position comes with the pictures, some milliseconds after a move, so a
 * move of our own counts until then.
 */

import { ServiceError } from "../../../core/errors.ts";
import { hasPoint } from "../../../imaging/boxes.ts";
import type { OutputPosition } from "../../listed_windows.ts";
import type { Point, Window, WindowId } from "../../types/mod.ts";
import type { VisibleCursor } from "../pipewire/frame.ts";
import type { Output } from "./outputs.ts";

/** By then the picture of a move has come, unless the computer is busy. */
const PICTURE_MS = 150;
/** For so long, a busy computer may show where the pointer was. */
const LATE_PICTURE_MS = 2_000;
/** How many positions before the last move can still be visible. */
const MAX_LATE = 64;

/** What reports the cursor in the pictures. */
export interface CursorSource {
  /** Where it is now; `undefined` while it is hidden or elsewhere. Costs next to nothing. */
  readonly cursorPosition: Point | undefined;
  cursor(): Promise<VisibleCursor | undefined>;
}

export class PointerPosition {
  #moved: { readonly to: Point; readonly time: number } | undefined;
  /** Where it was before the last move, by pictures or by moves of our own; the last is of a picture. */
  #left: (Point | undefined)[] = [];

  constructor(private readonly source: CursorSource) {}

  /** To be called for each move of our own. */
  move(to: Point): void {
    const time = performance.now();
    const last = this.#moved;
    const isLater = last === undefined || time - last.time > LATE_PICTURE_MS;
    const left = isLater ? [] : [...this.#left.slice(2 - MAX_LATE), last.to];
    this.#left = [...left, this.source.cursorPosition];
    this.#moved = { to, time };
  }

  /** @throws ServiceError `unavailable`: the pointer is on another monitor, or hidden */
  async read(): Promise<Point> {
    const moved = this.#moved;
    if (moved !== undefined && performance.now() - moved.time < PICTURE_MS) return moved.to;
    const visible = (await this.source.cursor())?.position;
    if (moved !== undefined && this.#isLate(visible, moved.time)) return moved.to;
    if (visible !== undefined) return visible;
    throw new ServiceError(
      "unavailable",
      "The position of the pointer is unknown: it is on another monitor or hidden; move it first",
    );
  }

  /** Whether a picture shows the pointer where it was before the last move. */
  #isLate(visible: Point | undefined, movedAt: number): boolean {
    if (isSame(visible, this.#left.at(-1))) return true; // no picture has come since
    if (performance.now() - movedAt > LATE_PICTURE_MS) return false;
    return this.#left.some((position) => isSame(visible, position));
  }
}

function isSame(a: Point | undefined, b: Point | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y;
}

// Places of windows on the desktop in the pixels of an output, and which one is at a point.

export function positionOf({ logical: { x, y }, scale }: Output): OutputPosition {
  return { x, y, scale };
}

/** A length in pixels, in units of the desktop. */
export function toUnits(pixels: number, { scale }: OutputPosition): number {
  return Math.round(pixels / scale);
}

/** @param windows topmost first */
export function findAt(windows: readonly Window[], point: Point): WindowId | undefined {
  return windows.find(({ frame, states }) =>
    frame !== null && !states.includes("hidden") && !states.includes("minimized") &&
    hasPoint(frame, point)
  )?.id;
}
