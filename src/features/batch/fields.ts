/** The fields and the answer of a batch. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { type ErrorCode, STATUS } from "../../core/errors.ts";
import { ScreenshotQuery } from "../display/fields.ts";

const MAX_NAME_LENGTH = 100;

function stepField(limits: Limits) {
  return z.object({
    operation: z.string().min(1).max(MAX_NAME_LENGTH).describe(
      "The name is the group and what follows in the path (`mouse.left-click`, `bash.command`); the path (`mouse/left-click`) and the `operationId` are accepted, too.",
    ),
    input: z.unknown().meta({ type: "object" }).optional().describe(
      "The fields of the operation, whether they are in its body, its query or its path. An unknown field is refused.",
    ),
    until: z.unknown().meta({ type: ["string", "object"] }).optional().describe(
      "The condition to wait for after the step, like `until` of `display/wait` without `change`: the next step runs when it is met; if it is not met in time, the step fails with `timed_out`.",
    ),
    timeout_ms: z.int().min(0).max(limits.maxDurationMs).optional().describe(
      "The maximum time to wait for `until` after the step, in milliseconds; by default that of `display/wait`.",
    ),
  });
}

export function batchFields(limits: Limits) {
  return {
    steps: z.array(stepField(limits)).min(1).max(limits.maxBatchSteps).describe(
      "They run one after the other, until one fails. A `display.wait` between two steps waits for the effect of the first one.",
    ),
    then_screenshot: ScreenshotQuery.optional()
      .describe(
        "A picture to take at the end, also if a step has failed. The fields are those of a screenshot.",
      ),
  };
}

const ElapsedMs = z.number().min(0).describe("The time that it took, in milliseconds.");

const Failure = z.object({
  code: z.enum(Object.keys(STATUS) as ErrorCode[])
    .describe("The error code, as in every error: `not_found`, `conflict`."),
  status: z.int().describe("The status with which the operation alone would answer."),
  detail: z.union([
    z.string(),
    z.array(z.object({
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
      type: z.string(),
    })),
  ]).describe("One sentence, or the list of validation errors if the input is invalid."),
});

const Part = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

/** A picture in a JSON answer. */
export const PictureValue = z.object({
  media_type: z.string().describe("The media type, for example `image/png`."),
  data: z.string().describe("The file, in Base64."),
  width: z.int().describe("The size, in pixels of the picture."),
  height: z.int(),
  frame: z.string().describe(
    "The id of the picture, for the `frame` of operations with coordinates.",
  ),
  scale: z.number().describe("The number of picture pixels per pixel of the screen."),
  display_num: z.int().describe("The number of the display that the picture shows."),
  region: Part.optional().describe("With `since`: where the part belongs in the older picture."),
  changes: z.array(z.array(z.int()).length(4)).optional().describe(
    "With `since`: the boxes that have changed: `[x, y, width, height]`.",
  ),
});

const Omitted = z.literal(true).optional().describe(
  "The value was omitted, because the full answer would be too large: request less, or use a separate batch.",
);

const Result = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("done"),
    value: z.unknown().optional().describe(
      "The answer of the operation, if it has one; a picture is an object with `media_type` and `data`.",
    ),
    value_omitted: Omitted,
    waited: z.unknown().optional().describe(
      "The answer of `display/wait`, if the step has `until`.",
    ),
    elapsed_ms: ElapsedMs,
  }),
  z.object({ status: z.literal("failed"), error: Failure, elapsed_ms: ElapsedMs }),
  z.object({ status: z.literal("not_run") }),
]);

export const BatchAnswer = z.object({
  status: z.enum(["completed", "failed"]).describe("`failed` if a step has failed."),
  results: z.array(Result).describe("One result for each step."),
  screenshot: PictureValue.nullable().optional().describe(
    "The picture, if `then_screenshot` requests one; `null` if nothing has changed `since`.",
  ),
  screenshot_omitted: Omitted,
  screenshot_error: Failure.optional().describe("The picture could not be taken."),
  elapsed_ms: ElapsedMs,
});

export type BatchInput = Readonly<z.output<z.ZodObject<ReturnType<typeof batchFields>>>>;
export type Step = BatchInput["steps"][number];
export type BatchAnswer = z.output<typeof BatchAnswer>;
export type PictureValue = z.output<typeof PictureValue>;
export type Failure = z.output<typeof Failure>;
