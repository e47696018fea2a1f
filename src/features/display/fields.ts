/** The fields of the picture operations. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FrameId, X, Y } from "../fields.ts";
import { PathField } from "../filesystem/path.ts";
import { FORMATS } from "../../imaging/encode.ts";

/** The most pixels in a row or column of an X server's picture. */
const MAX_EDGE = 32_767;
const MAX_PATH = 4_096;

const Edge = z.int().min(1).max(MAX_EDGE);
const Start = z.int().min(0).max(MAX_EDGE);

export const ScreenshotFields = {
  x: Start.optional().describe("The left edge of the region is here, in pixels; without it at 0."),
  y: Start.optional().describe("The top edge of the region is here, in pixels; without it at 0."),
  width: Edge.optional()
    .describe("The region is this wide, in pixels; without it, it ends at the right edge."),
  height: Edge.optional()
    .describe("The region is this high, in pixels; without it, it ends at the bottom."),
  max_width: Edge.optional()
    .describe("The picture is scaled down to this width at most, in pixels, the ratio kept."),
  max_height: Edge.optional()
    .describe("The picture is scaled down to this height at most, in pixels, the ratio kept."),
  max_edge: Edge.optional()
    .describe(
      "Neither side of the picture is longer than this, in pixels, the ratio kept: `2000` is what Claude takes when a request has more than 20 pictures.",
    ),
  enlarge: z.boolean().default(false).describe(
    "When true, a region that is smaller than `max_width`, `max_height` or `max_edge` is enlarged to them, to at most 4096x4096 pixels in all: for models that read small pictures badly.",
  ),
  fit: z.string().max(64).optional().describe(
    "The picture is scaled down, the ratio kept, to the largest size that its reader takes as it is. `claude` is for Claude 4.7 and later: at most 2576 pixels at the longer side and 4784 tiles of 28x28. `claude-standard` is for older ones: 1568 pixels and 1568 tiles. `openai`: 2048 pixels and 2500 tiles of 32x32. `gemini`: 3072 pixels. `max_bytes:<n>` makes a file of at most n bytes, n from 1000.",
  ),
  cursor: z.boolean().default(false).describe("When true, the cursor is drawn into the picture."),
  format: z.enum(FORMATS).default("png").describe("This is the format of the picture."),
  quality: z.int().min(1).max(100).default(80)
    .describe("The quality of JPEG and WebP goes from 1 (small) to 100 (good)."),
  frame: FrameId,
  since: z.string().min(1).max(64).optional().describe(
    "With the `X-Frame` of an older picture, the answer holds only what has changed after it. No region and no scaling can be given: both are those of the older picture.",
  ),
};

const Area = z.object({
  x: Start.describe("The left edge is here, in pixels."),
  y: Start.describe("The top edge is here, in pixels."),
  width: Edge.describe("The size is in pixels."),
  height: Edge.describe("The size is in pixels."),
});
const RegionField = Area.optional();
const MAX_IGNORED = 100;

const ImagePath = z.string().min(1).max(MAX_PATH)
  .describe(
    "This is the path of a PNG, JPEG or WebP file: absolute, or `~/...`, or relative to the home.",
  );
const Confidence = z.number().min(0).max(1).default(0.9)
  .describe("It must be at least this alike: 1 is the very same, 0.9 forgives small differences.");

const Channel = z.int().min(0).max(255);

const FileCondition = z.object({
  path: PathField("the path of the file or folder"),
  state: z.enum(["exists", "gone"]).default("exists").describe(
    "With `exists` it waits until something has this path, with `gone` until nothing has. What is so for less than 25 ms can be missed.",
  ),
  contains: z.string().min(1).max(1_000).optional().describe(
    "With `exists` it waits until the file also holds this text, as UTF-8; with `gone` until the file holds it no longer, or is gone itself. Files up to 64 MiB are searched.",
  ),
});

const ProcessCondition = z.object({
  pid: z.int().min(1).max(4_294_967_295).describe(
    "The process that has this id when the wait begins, of whatever user: it waits until it has ended. Another one that gets the same id later does not count.",
  ),
});

export function waitFields(limits: Limits) {
  return {
    until: z.union([
      z.enum(["change", "stable"]),
      z.object({
        pixel: z.object({
          x: X,
          y: Y,
          rgb: z.array(Channel).length(3).describe(
            "These are red, green and blue, each from 0 to 255.",
          ),
          tolerance: z.int().min(0).max(255).default(0)
            .describe("Each of the three may differ by this much."),
        }),
      }),
      z.object({ image: ImagePath, confidence: Confidence }),
      z.object({ file: FileCondition }),
      z.object({ process: ProcessCondition }),
    ]).default("change").describe(
      "With `change` it waits until something looks different, with `stable` until nothing has changed for `stable_ms`. It can also wait for a pixel that has a colour, for an image that is shown, and, without a look at any display, for a file or for the end of a process.",
    ),
    timeout_ms: z.int().min(0).max(limits.maxDurationMs).default(10_000)
      .describe("It waits at most this long, in milliseconds."),
    stable_ms: z.int().min(0).max(limits.maxDurationMs).default(300)
      .describe("Nothing must change for this long, in milliseconds."),
    region: RegionField.describe(
      "Only this part of the display counts; without it, all of it does.",
    ),
    ignore_area: z.union([
      z.int().min(0).max(MAX_EDGE * MAX_EDGE),
      Area,
      z.array(Area).min(1).max(MAX_IGNORED),
    ]).optional().describe(
      `This does not count for \`change\` and \`stable\`. A number ignores changes of less than this many pixels (width times height), until they add up; without it 100 are ignored for \`stable\`, so that a blinking text cursor does not matter, and 0 for \`change\`. A region, or a list of up to ${MAX_IGNORED}, ignores changes there, such as those of a clock or a video.`,
    ),
  };
}

export const LocateFields = {
  image_path: ImagePath,
  confidence: Confidence,
  all: z.boolean().default(false).describe("When true, the answer has every match, at most 1,000."),
  region: RegionField.describe("It searches only here; without it, everywhere."),
};

const Found = z.object({
  x: X,
  y: Y,
  width: Edge,
  height: Edge,
  confidence: z.number().min(-1).max(1).describe("It is this alike; 1 is the very same."),
}).describe("The place is in pixels of the screen, or of the picture named by `frame`.");

export const LocateAnswer = z.union([Found, z.null(), z.array(Found)]);

export const WaitAnswer = z.object({
  status: z.enum(["changed", "stable", "found", "gone", "ended", "timeout"]).describe(
    "`found` means that the pixel has the colour, that the image is shown, or that the file exists and holds the text. `gone` is said of a file, `ended` of a process.",
  ),
  elapsed_ms: z.int().min(0),
  match: Found.optional().describe("The image is here."),
});
