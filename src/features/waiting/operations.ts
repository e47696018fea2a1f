/** Defines the wait as data. */

import type { Limits } from "../../config/limits.ts";
import { IMAGE_ERRORS } from "../display/operations.ts";
import { DisplayNumber, FrameId } from "../fields.ts";
import { z } from "zod";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { WaitAnswer, waitFields } from "./fields.ts";
import { waitFor } from "./wait.ts";

const UNTOLD = "This display does not report changes.";

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
        "Wait until the display changes, is stable or shows something, for an element, a window, a file or a process",
      description:
        "Driven by the display's own change events, so it uses no CPU while nothing changes. Redrawing the same pixels is not a change. " +
        "Elements and windows are looked at when programs report a change. Files and processes need no display: they are looked at every 25 ms, programs by their name every 100 ms, more rarely where a look at all processes takes long.",
      body: z.object({ ...waitFields(limits), frame: FrameId, display_num: DisplayNumber }),
      answer: json("The condition that was met, and after how long.", WaitAnswer),
      errors: {
        ...IMAGE_ERRORS,
        forbidden:
          "The request has `file` or `image`, and the group filesystem is disabled; `element` or `text`, and the group accessibility; or `window`, and the group window.",
        not_found: "The image file does not exist, or the window of `element` is closed.",
        conflict: `${IMAGE_ERRORS.conflict} The element of \`ref\` is gone.`,
        not_a_file:
          "The request has `contains`, and the path leads to a device, a socket or a pipe.",
        unsupported: `${UNTOLD} ${IMAGE_ERRORS.unsupported}`,
      },
      run: waitFor,
    }),
  ];
}
