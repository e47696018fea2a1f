/** Defines the operation that the answers of UI-TARS models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { computerFields } from "../computer_fields.ts";
import {
  ActionResults,
  type AskedAction,
  EndAnswer,
  failuresText,
  messageParts,
  type OpenInput,
  performTurn,
} from "../open_model.ts";
import { answerWithPictures } from "../picture_answer.ts";
import { COORDINATE_FIELDS } from "../pixel_space.ts";
import { ACTIONS, FIELD_NAMES } from "./actions.ts";
import { parseActions } from "./action_text.ts";

const MAX_TEXT = 100_000;

const UiTarsAnswer = z.object({
  messages: z.array(z.looseObject({ role: z.string() })).describe(
    "Append these chat messages behind the model's own: what went wrong, and the next picture.",
  ),
  results: ActionResults,
  end: EndAnswer,
  frame: z.string().nullable().describe("The `X-Frame` of the picture."),
});

export function uiTarsOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerUiTars",
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
    path: "/api/agents/ui-tars",
    summary: "Perform what a UI-TARS model asks for",
    description:
      "Takes the text of the model as it is (`Thought: ...`, `Action: click(start_box='(500,300)')`), performs its actions in " +
      "their order, and answers with the next chat message. The first that fails ends the turn, and the message says why; so " +
      "does a text without an action that can be read. `finished` and `call_user` end the task. When the client leaves, the " +
      "action stops, and what the turn has pressed is released.",
    body: z.object({
      text: z.string().max(MAX_TEXT).describe("The content of the model's message."),
      ...COORDINATE_FIELDS,
      ...computerFields(limits, "the display in its own pixels"),
    }),
    answer: json("Every action has its result.", UiTarsAnswer),
    errors: { conflict: "The client went away." },
    run: answerText,
  });
}

async function answerText(context: Context, input: OpenInput & { readonly text: string }) {
  const actions = readActions(input.text);
  const { results, end, picture } = await performTurn(context, input, {
    ...{ actions, table: ACTIONS, fieldNames: FIELD_NAMES },
  });
  return answerWithPictures((base64) => {
    const parts = messageParts(failuresText(results), picture, base64);
    return {
      messages: parts.length === 0 ? [] : [{ role: "user", content: parts }],
      results: [...results],
      end,
      frame: picture?.frame ?? null,
    };
  });
}

function readActions(text: string): readonly AskedAction[] {
  try {
    return parseActions(text).map(({ name, args }) => ({ name, fields: Object.fromEntries(args) }));
  } catch (fault) {
    if (!(fault instanceof ServiceError)) throw fault;
    return [{ name: "", fields: {}, fault }];
  }
}
