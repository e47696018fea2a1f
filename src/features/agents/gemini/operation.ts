/** Defines the operation that the answers of Gemini models are given to. */

import type { Limits } from "../../../config/limits.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { answerContent } from "./answer_content.ts";
import { GeminiAnswer, geminiFields } from "./fields.ts";

export function geminiOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerGemini",
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
    path: "/api/agents/gemini",
    summary: "Perform what a Gemini model asks for",
    description:
      "Takes the `parts` of the model's content (or the steps of an interaction) as they are, performs the functions of the " +
      "computer use tool's desktop environment in their order, and answers each. Coordinates go from 0 to 999 in both " +
      "directions. What fails is a result with `error`; functions after it are not performed. While a call whose " +
      "`safety_decision` asks for a confirmation is not acknowledged nothing is performed. When the client leaves, the action " +
      "stops, and what the turn has pressed is released.",
    body: geminiFields(limits),
    answer: json("Every call has its answer, or confirmations are needed.", GeminiAnswer),
    errors: { conflict: "The client went away." },
    run: answerContent,
  });
}
