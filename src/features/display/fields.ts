/** The fields of the picture operations. */

import { z } from "zod";
import type { Box } from "../../imaging/boxes.ts";
import { FORMATS } from "../../imaging/image_file.ts";
import type { Changes, ChangeState, CursorState, Display } from "../../platform/types/mod.ts";
import { DisplayNumber, FrameId, X, Y } from "../fields.ts";
import { followChanges } from "./view.ts";

/** The most pixels in a row or column of an X server's picture. */
export const MAX_EDGE = 32_767;
const MAX_PATH = 4_096;

const Edge = z.int().min(1).max(MAX_EDGE);
const Start = z.int().min(0).max(MAX_EDGE);

export const ScreenshotFields = {
  x: Start.optional().describe("The left edge of the region, in pixels; 0 by default."),
  y: Start.optional().describe("The top edge of the region, in pixels; 0 by default."),
  width: Edge.optional()
    .describe("The width of the region, in pixels; up to the right edge by default."),
  height: Edge.optional()
    .describe("The height of the region, in pixels; down to the bottom edge by default."),
  max_width: Edge.optional()
    .describe(
      "The maximum width of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.",
    ),
  max_height: Edge.optional()
    .describe(
      "The maximum height of the picture, in pixels; a larger one is scaled down, keeping its aspect ratio.",
    ),
  max_edge: Edge.optional()
    .describe(
      "The maximum length of either side, in pixels; a larger picture is scaled down, keeping its aspect ratio: `2000` is the maximum for Claude when a request has more than 20 pictures.",
    ),
  enlarge: z.boolean().default(false).describe(
    "If true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that have difficulty with small pictures.",
  ),
  fit: z.string().max(64).optional().describe(
    "Scales the picture down, keeping its aspect ratio, to the largest size that the model accepts without scaling. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` limits the file to n bytes, at least 1000.",
  ),
  cursor: z.boolean().default(false).describe("If true, the cursor is drawn into the picture."),
  format: z.enum(FORMATS).default("png").describe("The format of the picture."),
  quality: z.int().min(1).max(100).default(80)
    .describe("The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best)."),
  frame: FrameId,
  since: z.string().min(1).max(64).optional().describe(
    "The `X-Frame` of an older picture: the answer then contains only what has changed since. Region and scale are those of the older picture and cannot be given.",
  ),
};

export const Area = z.object({
  x: Start.describe("The left edge, in pixels."),
  y: Start.describe("The top edge, in pixels."),
  width: Edge.describe("The size, in pixels."),
  height: Edge.describe("The size, in pixels."),
});
export const RegionField = Area.optional();
export const ImagePath = z.string().min(1).max(MAX_PATH)
  .describe(
    "The path of a PNG, JPEG or WebP file: absolute, `~/...`, or relative to the home folder.",
  );
export const Confidence = z.number().min(0).max(1).default(0.9)
  .describe(
    "The minimum similarity: 1 accepts only identical pixels, 0.9 tolerates small differences.",
  );

export const LocateBody = z.object({
  image_path: ImagePath,
  confidence: Confidence,
  all: z.boolean().default(false).describe(
    "If true, every match is returned, at most 1,000, instead of the best one.",
  ),
  region: RegionField.describe("The part of the display to search; all of it by default."),
  frame: FrameId,
  display_num: DisplayNumber,
});

export const ImageMatch = z.object({
  x: X,
  y: Y,
  width: Edge,
  height: Edge,
  confidence: z.number().min(-1).max(1).describe("The similarity of the match; 1 means identical."),
}).describe("Positions are in pixels of the screen, or of the picture named by `frame`.");

export const LocateAnswer = z.union([ImageMatch, z.null(), z.array(ImageMatch)]);

// What is requested of a picture, and the state of the screen that it finds.

export const ScreenshotQuery = z.object({ ...ScreenshotFields, display_num: DisplayNumber });

export type ScreenshotInput = z.output<typeof ScreenshotQuery> & {
  /** Drawn into the picture; no request names them. */
  readonly boxes?: readonly Box[];
};

/** The state of the screen before the capture, where the system reports it. */
export interface Situation {
  readonly display: Display;
  readonly changes: Changes | undefined;
  /** Whether the state was asked for; otherwise it is no other picture's. */
  readonly isPolled: boolean;
  readonly state: ChangeState;
  readonly cursor: CursorState | undefined;
}

/**
 * On some displays even this check captures a picture, which is worthwhile only for a comparison
 * with an older one.
 */
export async function readSituation(
  display: Display,
  { cursor, since }: Pick<ScreenshotInput, "cursor" | "since">,
): Promise<Situation> {
  const changes = await followChanges(display);
  if (!changes || (isCompared(changes) && since === undefined)) {
    const state = { run: crypto.randomUUID(), count: 0, size: display.size };
    return { display, changes, isPolled: false, state, cursor: undefined };
  }
  const cursorState = cursor ? changes.cursor() : undefined;
  const state = await changes.poll();
  return { display, changes, isPolled: true, state, cursor: await cursorState };
}

export function isCompared(changes: Changes | undefined): boolean {
  return changes?.source === "comparison";
}
