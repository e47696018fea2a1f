/**
 * Where stored secrets are filled in. All recordings and the live picture of a screen share its
 * masks: while one of them is open no picture is taken, and from then on its area is black.
 */

import { unlessAborted, within } from "../../core/deadline.ts";
import { addMember, Waiters } from "../../core/shared_run.ts";
import { boxAround } from "../../imaging/boxes.ts";
import type { Changes, Display, Point, Region, Size } from "../../platform/types/mod.ts";

/** The least that is covered around the point of a filled field, in pixels to each side. */
const HALF = { width: 320, height: 28 };
/** The rows above and below the point in which the filled text is searched. */
const HALF_ROW = 40;
/** More than the rest of a character that is drawn late. */
const MARGIN = 8;
/** A recording that begins this long after the value was filled in still covers it. */
const REMEMBERED_MS = 600_000;
/** Of a screen, whatever its size is by now: the coordinates of X have 16 bits. */
export const LARGEST: Size = { width: 65_535, height: 65_535 };
/** Until what was typed is drawn: nothing has changed for the first, at most for the second. */
const DRAWN_MS = 150;
export const LONGEST_DRAWING_MS = 1_000;

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

/** What takes pictures of a screen, and can say where a value was drawn in them. */
export interface MaskWatcher {
  /** When it began, by `performance.now()`: a mask stays as long as that. */
  readonly began?: number;
  /** The value of a mask is about to be typed. Never rejects. */
  noteField?(mask: RedactionMask): Promise<void>;
  /** Its area, or `undefined` where nothing was drawn. Never rejects. */
  findText(field: Field, mask: RedactionMask): Promise<Region | undefined>;
}

export class ScreenMasks {
  #masks: RedactionMask[] = [];
  readonly #watchers = new Set<MaskWatcher>();
  readonly #captures = new Set<Promise<unknown>>();
  readonly #closed = new Waiters();

  /** @param needed when the first of those that record the screen began */
  add(field: Field, needed: number): RedactionMask {
    const since = Math.min(needed, performance.now()) - REMEMBERED_MS;
    const mask = new RedactionMask(field);
    this.#masks = [...this.#masks.filter((each) => each.isOpen || each.began >= since), mask];
    return mask;
  }

  /** @param texts where the value was drawn, as far as pictures show it */
  close(mask: RedactionMask, texts: readonly (Region | undefined)[]): void {
    mask.close(texts);
    this.#closed.notify();
  }

  /** Resolves when no value is being filled in. @throws the signal's reason */
  async allClosed(signal: AbortSignal): Promise<void> {
    while (this.isOpen) await this.#closed.wait(signal);
  }

  /** Until the result is disposed of, `watcher` is asked where each value was drawn. */
  watch(watcher: MaskWatcher): Disposable {
    return addMember(this.#watchers, watcher);
  }

  get watchers(): readonly MaskWatcher[] {
    return [...this.#watchers];
  }

  /** A picture is being taken that will be shown, whatever is filled in meanwhile. */
  noteCapture(capture: Promise<unknown>): void {
    const settled = capture.catch(() => {}).then(() => void this.#captures.delete(settled));
    this.#captures.add(settled);
  }

  /** Resolves when no such picture is being taken any more. */
  async captured(): Promise<void> {
    await Promise.all(this.#captures);
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

/**
 * Waits until what was typed is drawn.
 * @throws the reason of `stop`; ServiceError when the display cannot be read
 */
export async function waitUntilDrawn(changes: Changes, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_DRAWING_MS)]);
  try {
    while (true) {
      const { count } = await unlessAborted(changes.poll(), signal);
      const change = changes.next(count, signal);
      change.catch(() => {});
      if (!await within(change, DRAWN_MS, signal)) break;
    }
  } catch (error) {
    if (stop.aborted || !signal.aborted) throw error; // a display that cannot be read shows nothing
  }
}

/** What is covered in any case. */
function areaOf(field: Field): Region | undefined {
  if (field === undefined) return undefined;
  if ("width" in field) return grow(field, MARGIN);
  const { x, y } = field;
  return { x: x - HALF.width, y: y - HALF.height, width: 2 * HALF.width, height: 2 * HALF.height };
}

function grow({ x, y, width, height }: Region, by: number): Region {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
