/** Defines the wait as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { MatchedElement } from "../accessibility/fields.ts";
import { Area, ImageMatch, MAX_EDGE, RegionField } from "../display/fields.ts";
import { IMAGE_ERRORS } from "../display/operations.ts";
import { DisplayNumber, FrameId } from "../fields.ts";
import { defineOperation, json, type Operation } from "../operation.ts";
import { WindowEntry } from "../window/window_answer.ts";
import { groupsOf, untilField } from "./conditions.ts";
import { waitFor } from "./wait.ts";

const NOT_REPORTED = "This display does not report changes.";

/** It changes nothing and never waits for input operations. */
export function waitingOperations(limits: Limits): readonly Operation[] {
  return [
    defineOperation({
      group: "display",
      readOnly: true,
      id: "waitForDisplay",
      long: true,
      method: "POST",
      path: "/api/display/wait",
      summary:
        "Wait for a change, a stable display, a pixel, an image, an element, a window, a file or a process",
      description:
        "Driven by the display's own change events, so it uses no CPU while nothing changes. Redrawing the same pixels is not a change. " +
        "Elements and windows are checked when programs report a change. Files and processes need no display: they are polled every 25 ms, programs by name every 100 ms, less often where listing all processes takes long.",
      body: z.object({ ...waitFields(limits), frame: FrameId, display_num: DisplayNumber }),
      answer: json("The condition that was met, and the time that it took.", WaitAnswer),
      errors: {
        ...IMAGE_ERRORS,
        forbidden:
          "The request has `file` or `image`, and the group filesystem is disabled; `element` or `text`, and the group accessibility; or `window`, and the group window.",
        not_found: "The image file does not exist, or there is no such window of `element`.",
        conflict: `${IMAGE_ERRORS.conflict} The element of \`ref\` is gone.`,
        not_a_file: "The request has `contains`, and the path is a device, a socket or a pipe.",
        unsupported: `${NOT_REPORTED} ${IMAGE_ERRORS.unsupported}`,
      },
      uses: ({ until }) => groupsOf(until),
      run: waitFor,
    }),
  ];
}

// The fields and the answer of a wait.

const MAX_IGNORED = 100;

function waitFields(limits: Limits) {
  return {
    until: untilField(limits).default("change").describe(
      "With `change`, waits until any pixel changes, with `stable` until nothing has changed for `stable_ms`. Other conditions are the colour of a pixel, a visible image and, without using a display, a file, a running program or the end of a process; or something that programs report: an `element`, a `text` in any element, or a `window`. With `gone`, waits until the condition is false.",
    ),
    timeout_ms: z.int().min(0).max(limits.maxDurationMs).default(10_000)
      .describe("The maximum time to wait, in milliseconds."),
    stable_ms: z.int().min(0).max(limits.maxDurationMs).default(300)
      .describe("The time without a change after which the display is stable, in milliseconds."),
    region: RegionField.describe("The part of the display to watch; all of it by default."),
    ignore_area: z.union([
      z.int().min(0).max(MAX_EDGE * MAX_EDGE),
      Area,
      z.array(Area).min(1).max(MAX_IGNORED),
    ]).optional().describe(
      `Changes to ignore for \`change\` and \`stable\`. A number ignores changes of fewer pixels (width times height), until they add up; the default is 100 for \`stable\`, so that a blinking text cursor does not matter, and 0 for \`change\`. A region, or a list of up to ${MAX_IGNORED}, ignores changes there, such as those of a clock or a video.`,
    ),
  };
}

const WaitAnswer = z.object({
  status: z.enum(["changed", "stable", "found", "gone", "ended", "timeout"]).describe(
    "`found`: the pixel has the colour, the image, element, text or window is visible, the file exists and contains the text, or a process of that name is running; `gone` is the opposite. `ended`: the process has ended.",
  ),
  elapsed_ms: z.int().min(0),
  element: MatchedElement.optional().describe(
    "The first matching element; operations accept its `ref`.",
  ),
  window: WindowEntry.optional().describe("The first matching window."),
  pid: z.int().min(0).optional().describe("The process that was waited for by its `name`."),
  match: ImageMatch.optional().describe("The position of the image."),
});
