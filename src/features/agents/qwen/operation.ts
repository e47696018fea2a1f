/** Defines the operation that the answers of Qwen's vision models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import type { Context } from "../../context.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { computerFields } from "../computer_fields.ts";
import {
  type ActionResult,
  ActionResults,
  EndAnswer,
  messageParts,
  type OpenInput,
  performTurn,
} from "../open_model.ts";
import { answerWithPictures } from "../picture_answer.ts";
import { COORDINATE_FIELDS } from "../pixel_space.ts";
import { ACTIONS, FIELD_NAMES } from "./actions.ts";
import { Message, readCalls, type ToolCall } from "./tool_calls.ts";

const QwenAnswer = z.object({
  messages: z.array(z.looseObject({ role: z.string() })).describe(
    "Append these chat messages behind the model's own: an answer for each call, and the next picture.",
  ),
  results: ActionResults,
  end: EndAnswer,
  frame: z.string().nullable().describe("The `X-Frame` of the picture."),
});

interface QwenInput extends OpenInput {
  readonly message: z.output<typeof Message>;
}

export function qwenOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerQwen",
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
    path: "/api/agents/qwen",
    summary: "Perform what a Qwen model asks for",
    description:
      "Takes the message of a Qwen2.5-VL or Qwen3-VL model as it is, performs the calls of its function `computer_use` in " +
      "their order, and answers with the next chat messages. The first that fails ends the turn, and its answer says why; " +
      "calls of other functions are left to you. `terminate` and `answer` end the task. When the client leaves, the action " +
      "stops, and what the turn has pressed is released.",
    body: z.object({
      message: Message,
      ...COORDINATE_FIELDS,
      ...computerFields(limits, "the display in its own pixels"),
    }),
    answer: json("Every call has its answer.", QwenAnswer),
    errors: { conflict: "The client went away." },
    run: answerMessage,
  });
}

async function answerMessage(context: Context, input: QwenInput) {
  const calls = await readCalls(input.message);
  const actions = calls.map(({ action }) => action);
  const { results, end, picture } = await performTurn(context, input, {
    ...{ actions, table: ACTIONS, fieldNames: FIELD_NAMES },
  });
  return answerWithPictures((base64) => {
    const isText = calls.some(({ id }) => id === undefined);
    const text = isText ? results.map(responseTag).join("\n") : undefined;
    const parts = messageParts(text, picture, base64);
    const told = isText ? [] : results.map((result, index) => toolMessage(calls[index]!, result));
    return {
      messages: [...told, ...(parts.length === 0 ? [] : [{ role: "user", content: parts }])],
      results: [...results],
      end,
      frame: picture?.frame ?? null,
    };
  });
}

function toolMessage({ id }: ToolCall, { status, error }: ActionResult) {
  return { role: "tool", tool_call_id: id, content: describeResult(status, error) };
}

/** The form in which the model has learnt to read results. */
function responseTag({ status, error }: ActionResult): string {
  return `<tool_response>\n${describeResult(status, error)}\n</tool_response>`;
}

function describeResult(status: ActionResult["status"], error: string | null): string {
  if (status === "done") return "Done.";
  return status === "failed" ? `Error: ${error}` : "Not performed.";
}
