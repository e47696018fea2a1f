/** The fields that every vendor's endpoint for a computer takes beside the model's answer. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FORMATS } from "../../imaging/image_file.ts";
import { DisplayNumber, FrameId } from "../fields.ts";

const MAX_EDGE = 32_767;
const DEFAULT_SETTLE_MS = 1_000;

/** @param fit says which `fit` applies where none is given */
export function computerFields(limits: Limits, fit: string) {
  return {
    display_num: DisplayNumber,
    fit: z.string().max(64).optional().describe(
      `Scales pictures to fit the model, like the \`fit\` of a screenshot; without it, ${fit}.`,
    ),
    max_edge: z.int().min(1).max(MAX_EDGE).optional().describe(
      "The maximum length of either side of a picture, in pixels.",
    ),
    frame: FrameId.describe(
      "The `X-Frame` of the picture that the model got: its coordinates are then pixels of that picture; without it, of the pictures that this operation takes.",
    ),
    format: z.enum(FORMATS).default("png").describe("The format of the pictures."),
    quality: z.int().min(1).max(100).default(80)
      .describe("The quality of a JPEG or WebP picture, from 1 (small file) to 100 (best)."),
    cursor: z.boolean().default(true).describe("If true, the cursor is drawn into pictures."),
    settle_ms: z.int().min(0).max(limits.maxDurationMs).default(
      Math.min(DEFAULT_SETTLE_MS, limits.maxDurationMs),
    ).describe(
      "The maximum time that a picture after an action waits for the display to be stable, in milliseconds; 0 does not wait.",
    ),
    after_action: z.boolean().default(false).describe(
      "If true, the first picture also waits for the display to be stable: for when an action of an earlier request may still be changing it.",
    ),
    then_screenshot: z.boolean().default(true).describe(
      "If true, a picture of the display after the actions is added to the last result, if it has none yet.",
    ),
  };
}

/** What {@link computerFields} give. */
export type ComputerInput = Readonly<z.output<z.ZodObject<ReturnType<typeof computerFields>>>>;
