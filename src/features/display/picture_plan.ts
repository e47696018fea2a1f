/** Decides what a picture shows and how large it is, before anything is captured. */

import { FieldError } from "../../core/errors.ts";
import { boxAround } from "../../imaging/boxes.ts";
import type { CursorState, Region } from "../../platform/types/mod.ts";
import type { Frame } from "../input/frames.ts";
import { fitSize, parseFit } from "../../imaging/fit.ts";
import type { RenderJob } from "./render.ts";
import type { ScreenshotInput, Situation } from "./fields.ts";

export interface PicturePlan extends RenderJob {
  /** The areas that changed, as `[x, y, width, height]` in pixels of the older picture. */
  readonly changes?: readonly (readonly number[])[];
}

/**
 * Plans a picture of a region of the screen.
 * @throws FieldError on `fit`.
 */
export function planPicture(
  region: Region,
  input: ScreenshotInput,
): PicturePlan {
  const { max_width: maxWidth, max_height: maxHeight, max_edge: maxEdge } = input;
  const fit = parseFit(input.fit);
  const size = fitSize(region, { maxWidth, maxHeight, maxEdge, fit, enlarge: input.enlarge });
  return {
    ...renderOptions(input),
    region,
    size,
    window: { x: 0, y: 0, ...size },
    maxBytes: fit?.kind === "max_bytes" ? fit.bytes : undefined,
  };
}

/**
 * Plans the smallest part of an older picture that contains everything that has changed since.
 * @throws FieldError on `since` when the screen is not the one that the older picture shows.
 */
export function planChanges(
  { changes, state, cursor }: Situation,
  since: Frame,
  input: ScreenshotInput,
): PicturePlan | "unchanged" {
  checkAlone(input);
  const { region, size } = since;
  if (region.x + region.width > state.size.width || region.y + region.height > state.size.height) {
    throw new FieldError(
      "since",
      `The display has been resized since picture "${since.id}": take a full picture`,
    );
  }
  const known = since.run === state.run ? changes?.since(since.count) : undefined;
  const areas = [...known ?? [region], ...cursorAreas(since.cursor, cursor)];
  const parts = areas.flatMap((area) => coveredPart(since, area) ?? []);
  if (parts.length === 0) return "unchanged";
  return {
    ...renderOptions(input),
    region,
    size,
    window: boxAround(parts),
    maxBytes: undefined,
    changes: parts.map(({ x, y, width, height }) => [x, y, width, height]),
  };
}

function renderOptions({ format, quality, cursor, boxes }: ScreenshotInput) {
  return {
    ...{ format, quality, cursor: cursor ? "shown" : "hidden" } as const,
    ...(boxes && { boxes }),
  };
}

/**
 * Rejects other fields beside `since`: the older picture determines what is shown, and at which
 * size.
 */
function checkAlone(input: ScreenshotInput): void {
  const others = [
    "x",
    "y",
    "width",
    "height",
    "max_width",
    "max_height",
    "max_edge",
    "fit",
    "frame",
  ] as const;
  const field = others.find((name) => input[name] !== undefined);
  if (field === undefined) return;
  throw new FieldError(
    field,
    `${field} cannot be combined with since: the picture is a part of the older one`,
  );
}

/** The areas to redraw because the cursor has moved or changed: where it was and where it is. */
function cursorAreas(before: CursorState | undefined, now: CursorState | undefined): Region[] {
  if (before?.key === now?.key) return [];
  return [before, now].flatMap((cursor) => cursor?.box ?? []);
}

/** The pixels of the older picture that show any part of an area of the screen. */
function coveredPart({ region, size }: Frame, area: Region): Region | undefined {
  const left = Math.max(area.x, region.x) - region.x;
  const top = Math.max(area.y, region.y) - region.y;
  const right = Math.min(area.x + area.width, region.x + region.width) - region.x;
  const bottom = Math.min(area.y + area.height, region.y + region.height) - region.y;
  if (right <= left || bottom <= top) return undefined;
  const x = Math.floor(left * size.width / region.width);
  const y = Math.floor(top * size.height / region.height);
  const width = Math.ceil(right * size.width / region.width) - x;
  const height = Math.ceil(bottom * size.height / region.height) - y;
  return { x, y, width, height };
}
