/** Defines the operation that the answers of OpenAI's models are given to. */

import type { Limits } from "../../../config/limits.ts";
import { DISPLAY_ERRORS } from "../../common_errors.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { answerResponse } from "./answer_response.ts";
import { OpenaiAnswer, openaiFields } from "./fields.ts";

export function openaiOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerOpenai",
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
    path: "/api/agents/openai",
    summary: "Perform what an OpenAI model asks for",
    description:
      "Takes the `output` of the model's response as it is, performs its calls in their order, and answers with the " +
      "items for the `input` of the next request. It knows `computer` (`actions` and held `keys`), `computer_use_preview` (one " +
      "`action`), `apply_patch`, `shell` and `local_shell`. A computer call is answered with one picture after all its " +
      "actions; one that fails is `incomplete`, has a message behind it that says why, and computer calls after it are not " +
      "performed. A patch that does not fit and a command that fails are results like any other. While a safety check is not " +
      "acknowledged nothing is performed. When the client leaves, the action stops, and what the turn has pressed is released.",
    body: openaiFields(limits),
    answer: json("Every call has its answer, or safety checks are pending.", OpenaiAnswer),
    errors: {
      ...DISPLAY_ERRORS,
      conflict: "The client went away, or the display changed its size meanwhile.",
      forbidden: "The group display is switched off: a computer call cannot be answered.",
    },
    run: answerResponse,
  });
}
