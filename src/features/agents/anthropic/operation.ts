/** Defines the operation that Claude's answers are given to. */

import type { Limits } from "../../../config/limits.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { answerTurn } from "./answer_turn.ts";
import { TurnAnswer, turnFields } from "./fields.ts";

export function anthropicOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerAnthropic",
    group: "agents",
    readOnly: false,
    long: true,
    method: "POST",
    path: "/api/agents/anthropic",
    summary: "Perform what a Claude model asks for",
    description:
      "Takes the `content` of the model's message as it is, performs its `tool_use` blocks in their order, and answers " +
      "with the `tool_result` blocks of the next message. It knows `computer_toolset_20260801`, `computer_20251124`, " +
      "`computer_20250124`, `bash_20250124`, `text_editor_20250728`, `text_editor_20250429`, `text_editor_20250124` and " +
      "`memory_20250818`. What fails is a result with `is_error`; computer actions after it are not executed. " +
      "When the client leaves, the action stops, and what the turn has pressed is released.",
    body: turnFields(limits),
    answer: json("Every call has its result, or is `unhandled`.", TurnAnswer),
    errors: { conflict: "The client went away." },
    run: answerTurn,
  });
}
