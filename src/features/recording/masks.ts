/** Where stored secrets were filled in: areas that recordings show black. */

import { boxAround } from "../../imaging/boxes.ts";
import type { Display, Point, Region, Size } from "../../platform/types/mod.ts";

/** The least that is covered around the point of a filled field, in pixels to each side. */
const HALF = { width: 320, height: 28 };
/** The rows above and below the point in which the filled text is looked for. */
const HALF_ROW = 40;
/** More than the rest of a character that is drawn late. */
const MARGIN = 8;
/** A recording that begins this long after the value was filled in still covers it. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

interface RedactionMask {
  /** Of the display, as {@link screenKey} gives it. */
  readonly screen: string;
  readonly area: Region;
  readonly at: number;
}

/** The areas of all displays in which secrets were filled in lately. */
export class RecentMasks {
  readonly #masks: RedactionMask[] = [];

  add(screen: string, area: Region): void {
    this.#masks.push({ screen, area, at: performance.now() });
    if (this.#masks.length > MAX_REMEMBERED) this.#masks.shift();
  }

  on(screen: string): Region[] {
    const since = performance.now() - REMEMBERED_MS;
    return this.#masks.filter((mask) => mask.screen === screen && mask.at >= since)
      .map(({ area }) => area);
  }
}

/** The same for every number by which a screen is reached. */
export function screenKey({ screen, displayNum }: Display): string {
  return "capture" in screen ? `display ${displayNum}` : `${screen.backend} ${screen.name}`;
}

/** A point of a field, its area, or `undefined` where only its program knows. */
export type Field = Point | Region | undefined;

/** What is covered in any case; `undefined` where the field is not known. */
export function areaOf(field: Field): Region | undefined {
  if (field === undefined) return undefined;
  if ("width" in field) return grow(field, MARGIN, MARGIN);
  return grow({ ...field, width: 0, height: 0 }, HALF.width, HALF.height);
}

/** The part of the screen in which the text of the field is looked for. */
export function rowOf(field: Field, { width, height }: Size): Region {
  if (field === undefined) return { x: 0, y: 0, width, height };
  const rows = "width" in field ? field : { ...field, height: 0 };
  return grow({ x: 0, y: rows.y, width, height: rows.height }, 0, HALF_ROW);
}

/** What is covered where the text was drawn in `box`. */
export function maskText(field: Field, box: Region | undefined): Region | undefined {
  const areas = [areaOf(field), box && grow(box, MARGIN, MARGIN)].filter((each) => !!each);
  return areas.length === 0 ? undefined : boxAround(areas);
}

function grow({ x, y, width, height }: Region, right: number, down: number): Region {
  return {
    x: x - right,
    y: y - down,
    width: width + 2 * right,
    height: height + 2 * down,
  };
}

// What a recording and its thread share: whether pictures are withheld, and how often they were.

/** Posted between the threads as it is. */
export type PausedCapture = Int32Array<SharedArrayBuffer>;

/** Fields that are being filled in now. */
const NOW = 0;
/** Fields that have ever been filled in; only its changes count. */
const EVER = 1;

export function createPausedCapture(): PausedCapture {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export function pauseCapture(shared: PausedCapture): void {
  Atomics.add(shared, EVER, 1);
  Atomics.add(shared, NOW, 1);
}

/** Call it when what must be black from then on is known. */
export function resumeCapture(shared: PausedCapture): void {
  Atomics.sub(shared, NOW, 1);
}

export function isCapturePaused(shared: PausedCapture): boolean {
  return Atomics.load(shared, NOW) !== 0;
}

/** A picture may be kept only if this is the same as when its covers were known. */
export function countCapturePauses(shared: PausedCapture): number {
  return Atomics.load(shared, EVER);
}
