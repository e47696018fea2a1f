/**
 * The calls in a chat message of a Qwen model: `tool_calls` as servers with OpenAI's interface give
 * them, or `<tool_call>` in the text as the model itself writes them.
 */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import type { AskedAction } from "../open_model.ts";

const MAX_CALLS = 1_000;
const MAX_TEXT = 1_000_000;
/** Characters of the arguments of a call: more than the longest text that is typed. */
const MAX_ARGUMENTS = 250_000;
const TAG = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;
const NAME = "computer_use";

export const Message = z.looseObject({
  content: z.union([z.string().max(MAX_TEXT), z.array(z.looseObject({})).max(MAX_CALLS)]).nullish(),
  tool_calls: z.array(z.looseObject({})).max(MAX_CALLS).nullish(),
}).describe(
  "The model's message, as the server gave it; without `tool_calls` they are looked for in the text of `content`.",
);

/** A call of the function, by the id to answer it with. */
export interface ToolCall {
  readonly id: string | undefined;
  readonly action: AskedAction;
}

type Fields = Readonly<Record<string, unknown>>;

/** Calls of other functions are left out: they are the caller's own. */
export function readCalls({ content, tool_calls }: z.output<typeof Message>): readonly ToolCall[] {
  if (tool_calls && tool_calls.length > 0) {
    return tool_calls.flatMap(({ id, function: called }) => {
      const { name, arguments: given } = isFields(called) ? called : {};
      if (name !== NAME) return [];
      return [{ id: typeof id === "string" ? id : undefined, action: toAction(given) }];
    });
  }
  return [...readText(content).matchAll(TAG)].flatMap(([, text]) => readTag(text!));
}

function readTag(text: string): ToolCall[] {
  const call = parsed(text);
  if (!isFields(call)) return [{ id: undefined, action: toAction(text) }];
  if (call["name"] !== undefined && call["name"] !== NAME) return [];
  return [{ id: undefined, action: toAction(call["arguments"]) }];
}

/** JSON text as its value; `undefined` where it is none. */
function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  if (given.length > MAX_ARGUMENTS) return undefined;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

function toAction(given: unknown): AskedAction {
  const call = parsed(given);
  if (isFields(call)) {
    const { action, ...fields } = call;
    return { name: action, fields };
  }
  const fault = new ServiceError("invalid", "The arguments of the tool call are no JSON object");
  return { name: "", fields: {}, fault };
}

function readText(content: z.output<typeof Message>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => typeof text === "string" ? text : "").join("");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
