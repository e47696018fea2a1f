/** The fields and the answer of a wait. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FoundElement } from "../accessibility/fields.ts";
import { Area, Found, MAX_EDGE, RegionField } from "../display/fields.ts";
import { WindowEntry } from "../window/window_answer.ts";
import { untilField } from "./conditions.ts";

const MAX_IGNORED = 100;

export function waitFields(limits: Limits) {
  return {
    until: untilField(limits).default("change").describe(
      "With `change` it waits until something looks different, with `stable` until nothing has changed for `stable_ms`. It can also wait for a pixel that has a colour, for an image that is shown, and, without a look at any display, for a file, for a program to run, or for the end of a process. It can wait for what programs show: an `element`, a `text` anywhere, or a `window`. With `gone` it waits until that is not so.",
    ),
    timeout_ms: z.int().min(0).max(limits.maxDurationMs).default(10_000)
      .describe("The maximum time to wait, in milliseconds."),
    stable_ms: z.int().min(0).max(limits.maxDurationMs).default(300)
      .describe("The time without any change that counts as stable, in milliseconds."),
    region: RegionField.describe(
      "The part of the display to watch; all of it by default.",
    ),
    ignore_area: z.union([
      z.int().min(0).max(MAX_EDGE * MAX_EDGE),
      Area,
      z.array(Area).min(1).max(MAX_IGNORED),
    ]).optional().describe(
      `Changes to ignore for \`change\` and \`stable\`. A number ignores changes of fewer pixels (width times height), until they add up; the default is 100 for \`stable\`, so that a blinking text cursor does not matter, and 0 for \`change\`. A region, or a list of up to ${MAX_IGNORED}, ignores changes there, such as those of a clock or a video.`,
    ),
  };
}

export const WaitAnswer = z.object({
  status: z.enum(["changed", "stable", "found", "gone", "ended", "timeout"]).describe(
    "`found` means that the pixel has the colour, that the image, the element, the text or the window is shown, that the file exists and holds the text, or that a process of the name runs; `gone` means the opposite. `ended` is said of a process.",
  ),
  elapsed_ms: z.int().min(0),
  element: FoundElement.optional().describe(
    "The first element that fits; operations take its `ref`.",
  ),
  window: WindowEntry.optional().describe("The first window that fits."),
  pid: z.int().min(0).optional().describe("The process that was waited for by its `name`."),
  match: Found.optional().describe("The position of the image."),
});
