/**
 * Where stored secrets are filled in. All recordings of a screen share its masks: while one of them
 * is open no picture is taken, and from then on its area is black.
 */

import { boxAround } from "../../imaging/boxes.ts";
import type { Display, Point, Region, Size } from "../../platform/types/mod.ts";

/** The least that is covered around the point of a filled field, in pixels to each side. */
const HALF = { width: 320, height: 28 };
/** The rows above and below the point in which the filled text is searched. */
const HALF_ROW = 40;
/** More than the rest of a character that is drawn late. */
const MARGIN = 8;
/** A recording that begins this long after the value was filled in still covers it. */
const REMEMBERED_MS = 600_000;

/** A point of a field, its area, or `undefined` where only its program knows. */
export type Field = Point | Region | undefined;

export class RedactionMask {
  readonly began = performance.now();
  #area: Region | undefined;
  #isOpen = true;

  constructor(readonly field: Field) {
    this.#area = areaOf(field);
  }

  /** `undefined` while it is not known. */
  get area(): Region | undefined {
    return this.#area;
  }

  /** Whether the value is being filled in. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param texts where the value was drawn, as far as recordings have seen it */
  close(texts: readonly (Region | undefined)[]): void {
    const drawn = texts.filter((text) => text !== undefined).map((text) => grow(text, MARGIN));
    const areas = this.#area === undefined ? drawn : [this.#area, ...drawn];
    if (areas.length > 0) this.#area = boxAround(areas);
    this.#isOpen = false;
  }
}

export class ScreenMasks {
  #masks: RedactionMask[] = [];

  /** @param needed when the first of those that record the screen began */
  add(field: Field, needed: number): RedactionMask {
    const since = Math.min(needed, performance.now()) - REMEMBERED_MS;
    const mask = new RedactionMask(field);
    this.#masks = [...this.#masks.filter((each) => each.isOpen || each.began >= since), mask];
    return mask;
  }

  /** Whether a value is being filled in now. */
  get isOpen(): boolean {
    return this.#masks.some((each) => each.isOpen);
  }

  /** Another one than before: a value has been filled in meanwhile. */
  get latest(): RedactionMask | undefined {
    return this.#masks.at(-1);
  }

  /** What is black in a recording that began then. */
  areas(began: number): Region[] {
    return this.#masks.filter((each) => each.began >= began - REMEMBERED_MS)
      .map(({ area }) => area).filter((area) => area !== undefined);
  }
}

/** The same for every number by which a screen is reached. */
export function screenKey({ screen, displayNum }: Display): string {
  return "capture" in screen ? `display ${displayNum}` : `${screen.backend} ${screen.name}`;
}

/** The part of the screen in which the text of the field is searched. */
export function rowOf(field: Field, { width, height }: Size): Region {
  if (field === undefined) return { x: 0, y: 0, width, height };
  const rows = "width" in field ? field : { ...field, height: 0 };
  return { x: 0, y: rows.y - HALF_ROW, width, height: rows.height + 2 * HALF_ROW };
}

/** What is covered in any case. */
function areaOf(field: Field): Region | undefined {
  if (field === undefined) return undefined;
  if ("width" in field) return grow(field, MARGIN);
  const { x, y } = field;
  return {
    x: x - HALF.width,
    y: y - HALF.height,
    width: 2 * HALF.width,
    height: 2 * HALF.height,
  };
}

function grow({ x, y, width, height }: Region, by: number): Region {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
