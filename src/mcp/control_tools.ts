/** The tool by which a model asks for a person. */

import { z } from "zod";
import { callOperation, namingFields } from "../features/agents/actions.ts";
import { HelpAnswer, HelpReason } from "../features/control/operations.ts";
import { defineOperation, json, type Operation } from "../features/operation.ts";
import { toolBase } from "./tool.ts";

const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 600;

export function controlTools(): readonly Operation[] {
  return [
    defineOperation({
      ...toolBase("request_help", "control"),
      readOnly: true,
      long: true,
      summary: "Ask a person for help, and wait",
      description:
        "For what you cannot or must not do yourself, such as a captcha, a login or a payment. Waits until a person has used the computer and handed it back, has declined, or `timeout` has passed. Take a new screenshot after that.",
      body: z.object({
        reason: HelpReason,
        timeout: z.number().min(0).max(MAX_SECONDS).default(DEFAULT_SECONDS).describe("Seconds."),
      }),
      answer: json("How it ended.", HelpAnswer),
      async run(context, { reason, timeout }) {
        const input = { reason, timeout_ms: Math.round(timeout * 1_000) };
        const answer = await namingFields(
          { timeout_ms: "timeout" },
          () => callOperation(context, "control.request-help", input),
        );
        return HelpAnswer.parse(answer);
      },
    }),
  ];
}
