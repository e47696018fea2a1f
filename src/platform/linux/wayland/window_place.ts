/** Places of windows on the desktop in the pixels of an output, and which one is at a point. */

import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region, Window, WindowId } from "../../types/mod.ts";
import type { Output } from "./outputs.ts";

/** Where an output is on the desktop, and its pixels per unit of that. */
export interface OutputPlace extends Point {
  readonly scale: number;
}

export function placeOf({ logical: { x, y }, scale }: Output): OutputPlace {
  return { x, y, scale };
}

export function toPixels({ x, y, width, height }: Region, place: OutputPlace): Region {
  const scaled = (value: number) => Math.round(value * place.scale);
  return {
    ...{ x: scaled(x - place.x), y: scaled(y - place.y) },
    ...{ width: scaled(width), height: scaled(height) },
  };
}

/** A length in pixels, in units of the desktop. */
export function toUnits(pixels: number, { scale }: OutputPlace): number {
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
  return new ServiceError("not_found", `There is no window "${id}": it has closed, or never was`);
}
