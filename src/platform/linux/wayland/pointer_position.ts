/**
 * Where the pointer is: its position comes with the pictures, some milliseconds after a move, so a
 * move of our own counts until then.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region, Window, WindowId } from "../../types/mod.ts";
import type { ShownCursor } from "../pipewire/stream.ts";
import type { Output } from "./outputs.ts";

/** By then the picture of a move has come. */
const PICTURE_MS = 150;

/** What tells of the cursor in the pictures; the key changes with its position. */
export interface CursorSource {
  readonly cursorKey: string;
  cursor(): Promise<ShownCursor | undefined>;
}

export class PointerPosition {
  #moved: { readonly to: Point; readonly time: number; readonly key: string } | undefined;

  constructor(private readonly source: CursorSource) {}

  /** To be called for each move of our own. */
  move(to: Point): void {
    this.#moved = { to, time: performance.now(), key: this.source.cursorKey };
  }

  /** @throws ServiceError `unavailable`: the pointer is on another monitor, or hidden */
  async read(): Promise<Point> {
    const moved = this.#moved;
    const { cursorKey } = this.source;
    const isOurs = moved !== undefined &&
      (performance.now() - moved.time < PICTURE_MS || moved.key === cursorKey);
    if (isOurs) return moved.to;
    const cursor = await this.source.cursor();
    if (cursor !== undefined) return cursor.position;
    throw new ServiceError(
      "unavailable",
      "The position of the pointer is unknown: it is on another monitor or hidden; move it first",
    );
  }
}

// Places of windows on the desktop in the pixels of an output, and which one is at a point.

/** Where an output is on the desktop, and its pixels per unit of that. */
export interface OutputPosition extends Point {
  readonly scale: number;
}

export function positionOf({ logical: { x, y }, scale }: Output): OutputPosition {
  return { x, y, scale };
}

export function toPixels({ x, y, width, height }: Region, place: OutputPosition): Region {
  const scaled = (value: number) => Math.round(value * place.scale);
  return {
    x: scaled(x - place.x),
    y: scaled(y - place.y),
    width: scaled(width),
    height: scaled(height),
  };
}

/** A length in pixels, in units of the desktop. */
export function toUnits(pixels: number, { scale }: OutputPosition): number {
  return Math.round(pixels / scale);
}

/** @param windows topmost first */
export function findAt(windows: readonly Window[], { x, y }: Point): WindowId | undefined {
  return windows.find(({ frame, states }) =>
    frame !== null && !states.includes("hidden") && !states.includes("minimized") &&
    x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
  )?.id;
}

export function closedWindow(id: WindowId): ServiceError {
  return new ServiceError(
    "not_found",
    `There is no window "${id}": it was closed, or never existed`,
  );
}
