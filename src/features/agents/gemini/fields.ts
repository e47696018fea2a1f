/** The fields of `POST /api/agents/gemini` and of its answer. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { computerFields, type ComputerInput } from "../computer_fields.ts";
import { Parts, Steps } from "./calls.ts";

const MAX_ACKNOWLEDGED = 1_000;

export function geminiFields(limits: Limits) {
  return z.object({
    parts: Parts,
    steps: Steps,
    acknowledged: z.array(z.union([z.string().max(256), z.int().min(0)])).max(MAX_ACKNOWLEDGED)
      .default([]).describe(
        "The ids, or the numbers from 0, of the calls that a person has agreed to.",
      ),
    ...computerFields(limits, "`gemini`"),
  });
}

export interface GeminiInput extends ComputerInput {
  readonly parts: z.output<typeof Parts>;
  readonly steps: z.output<typeof Steps>;
  readonly acknowledged: readonly (string | number)[];
  readonly then_screenshot: boolean;
}

export const GeminiAnswer = z.object({
  parts: z.array(z.looseObject({}))
    .describe("The `parts` of your next content, whose role is `user`."),
  steps: z.array(z.looseObject({ type: z.string() }))
    .describe("The steps of your next input, for calls that came as steps."),
  confirmations: z.array(z.object({
    index: z.int().describe("The number of the call in the request, from 0."),
    id: z.string().nullable(),
    name: z.string(),
    decision: z.string(),
    explanation: z.string().nullable(),
  })).describe(
    "Somebody must agree to these calls first: nothing was performed. Ask a person, and send the same request with their ids or numbers in `acknowledged`.",
  ),
  frame: z.string().nullable().describe("The `X-Frame` of the last picture."),
});

export type GeminiAnswer = z.output<typeof GeminiAnswer>;
