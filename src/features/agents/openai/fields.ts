/** The fields of `POST /api/agents/openai` and of its answer. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { PathField } from "../../filesystem/path.ts";
import { computerFields, type ComputerInput } from "../computer_fields.ts";
import { Acknowledged, AnswerItems, Output, type SafetyCheck } from "./items.ts";

export function openaiFields(limits: Limits) {
  return z.object({
    output: Output,
    acknowledged_safety_checks: Acknowledged,
    workspace: PathField("folder that `apply_patch` works in, and in which commands begin")
      .optional(),
    ...computerFields(limits, "`openai`"),
    then_screenshot: z.boolean().default(true).describe(
      "When false, computer calls are answered only where they fail, by the message: for drivers of the vendor's classes, which take the picture by a request of its own.",
    ),
  });
}

export interface OpenaiInput extends ComputerInput {
  readonly output: z.output<typeof Output>;
  readonly then_screenshot: boolean;
  readonly acknowledged_safety_checks: readonly SafetyCheck[];
  readonly workspace?: string | undefined;
}

export const OpenaiAnswer = z.object({
  input: AnswerItems.describe(
    "Append these items to the `input` of the next request, behind the model's own.",
  ),
  pending_safety_checks: z.array(z.object({
    call_id: z.string(),
    id: z.string(),
    code: z.string().nullable(),
    message: z.string().nullable(),
  })).describe(
    "Somebody must agree to these first: nothing was performed. Ask a person, and send the same request with them in `acknowledged_safety_checks`.",
  ),
  frame: z.string().nullable().describe("The `X-Frame` of the last picture."),
});

export type OpenaiAnswer = z.output<typeof OpenaiAnswer>;
