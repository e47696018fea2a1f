/**
 * The calls in a chat message of a Qwen model: `tool_calls` as servers with OpenAI's interface give
 * them, or `<tool_call>` in the text as the model itself writes them.
 */

import { z } from "zod";
import { ServiceError, ValueFault } from "../../../core/errors.ts";
import { findExcess, MAX_DEPTH } from "../../../core/json_scan.ts";
import { Turns } from "../../../core/turns.ts";
import type { AskedAction } from "../open_model.ts";

const MAX_CALLS = 1_000;
const MAX_TEXT = 1_000_000;
/** Characters of the arguments of a call: more than the longest text that is typed. */
const MAX_ARGUMENTS = 250_000;
/** Values in the arguments of a call, nested ones too: many take long to parse. */
const MAX_VALUES = 1_000;
const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";
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

/**
 * Calls of other functions are left out: they are the caller's own. Lets other work go on between
 * two calls.
 * @throws ValueFault for a text that is too long or has too many calls
 */
export async function readCalls(
  { content, tool_calls }: z.output<typeof Message>,
): Promise<readonly ToolCall[]> {
  if (tool_calls && tool_calls.length > 0) return await readEach(tool_calls, readToolCall);
  const text = readText(content);
  if (text.length > MAX_TEXT) throw tooMuch(`${MAX_TEXT} characters`);
  const tags = [...findTags(text).take(MAX_CALLS + 1)];
  if (tags.length <= MAX_CALLS) return await readEach(tags, readTag);
  throw tooMuch(`${MAX_CALLS} tool calls`);
}

/** What stands between the tags; the last one need not be closed. */
function* findTags(text: string): Generator<string> {
  let open = text.indexOf(OPEN);
  while (open >= 0) {
    const start = open + OPEN.length;
    const close = text.indexOf(CLOSE, start);
    yield text.slice(start, close < 0 ? text.length : close);
    open = close < 0 ? -1 : text.indexOf(OPEN, close);
  }
}

function tooMuch(what: string): ValueFault {
  return new ValueFault(["message", "content"], `The text has more than ${what}`);
}

async function readEach<T>(
  given: readonly T[],
  read: (given: T) => ToolCall | undefined,
): Promise<readonly ToolCall[]> {
  const turns = new Turns();
  const calls: ToolCall[] = [];
  for (const each of given) {
    const call = read(each);
    if (call !== undefined) calls.push(call);
    await turns.pass();
  }
  return calls;
}

function readToolCall({ id, function: called }: Fields): ToolCall | undefined {
  const { name, arguments: given } = isFields(called) ? called : {};
  if (name !== NAME) return undefined;
  return { id: typeof id === "string" ? id : undefined, action: toAction(parse(given)) };
}

function readTag(text: string): ToolCall | undefined {
  const parsed = parse(text);
  const call = "value" in parsed && isFields(parsed.value) ? parsed.value : undefined;
  if (call === undefined) return { id: undefined, action: toAction(parsed) };
  if (call["name"] !== undefined && call["name"] !== NAME) return undefined;
  return { id: undefined, action: toAction(parse(call["arguments"])) };
}

/** A value, or what is wrong with its text. */
type Parsed = { readonly value: unknown } | { readonly fault: string };

/** The value of a JSON text; any other value is one already. */
function parse(given: unknown): Parsed {
  if (typeof given !== "string") return { value: given };
  if (given.length > MAX_ARGUMENTS) return { fault: `have more than ${MAX_ARGUMENTS} characters` };
  const excess = findExcess(new TextEncoder().encode(given), MAX_VALUES);
  if (excess?.what === "values") return { fault: `have more than ${MAX_VALUES} values` };
  if (excess?.what === "levels") return { fault: `have more than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(given) };
  } catch {
    return { fault: "are no JSON object" };
  }
}

function toAction(parsed: Parsed): AskedAction {
  if ("value" in parsed && isFields(parsed.value)) {
    const { action, ...fields } = parsed.value;
    return { name: action, fields };
  }
  const what = "fault" in parsed ? parsed.fault : "are no JSON object";
  const fault = new ServiceError("invalid", `The arguments of the tool call ${what}`);
  return { name: "", fields: {}, fault };
}

function readText(content: z.output<typeof Message>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => typeof text === "string" ? text : "").join("");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
