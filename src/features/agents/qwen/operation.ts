/** Defines the operation that the answers of Qwen's vision models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import { findExcess, MAX_DEPTH } from "../../../core/json_scan.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { type Fields, isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { actionOn, type FieldNames } from "../actions.ts";
import type { AgentComputer, ButtonName, Spot } from "../agent_computer.ts";
import { toNotches } from "../coordinate_space.ts";
import { MAX_KEYS } from "../key_names.ts";
import {
  answerOpenModel,
  openModelAnswer,
  openModelFields,
  type OpenModelInput,
} from "../open_model.ts";
import {
  type ActionResult,
  type AskedAction,
  type ComputerActions,
  type End,
  TURN,
} from "../turn.ts";

export function qwenOperation(limits: Limits): Operation {
  return defineOperation({
    ...TURN,
    id: "answerQwen",
    runsOthers: true,
    path: "/api/agents/qwen",
    summary: "Perform the tool calls of a Qwen model",
    description:
      "Takes the message of a Qwen2.5-VL or Qwen3-VL model as it is, performs the calls of its function `computer_use` in " +
      "order, and answers with the next chat messages. The first that fails ends the turn, and its answer says why; " +
      "calls of other functions are left to you. `terminate` and `answer` end the task. When the client disconnects, the action " +
      "stops, and the keys and buttons that the turn pressed are released.",
    body: z.object({ message: Message, ...openModelFields(limits) }),
    answer: json(
      "Every call has its answer.",
      openModelAnswer(
        "Append these chat messages after the model's own: an answer for each call, and the next picture.",
      ),
    ),
    run: answerMessage,
  });
}

async function answerMessage(
  context: Context,
  input: OpenModelInput & { readonly message: z.output<typeof Message> },
) {
  const calls = await readCalls(input.message);
  const actions = calls.map(({ action }) => action);
  const turn = { actions, table: ACTIONS, fieldNames: FIELD_NAMES };
  return await answerOpenModel(context, input, turn, (results) => {
    const isText = calls.some(({ id }) => id === undefined);
    if (isText) return { messages: [], text: results.map(responseTag).join("\n") };
    return { messages: results.map((result, index) => toolMessage(calls[index]!, result)) };
  });
}

function toolMessage({ id }: ToolCall, result: ActionResult) {
  return { role: "tool", tool_call_id: id, content: describeResult(result) };
}

/** The form in which the model has learnt to read results. */
function responseTag(result: ActionResult): string {
  return `<tool_response>\n${describeResult(result)}\n</tool_response>`;
}

function describeResult({ status, error }: ActionResult): string {
  if (status === "done") return "Done.";
  return status === "failed" ? `Error: ${error}` : "Not performed.";
}

// The actions of the function `computer_use` of Qwen2.5-VL and Qwen3-VL. Source: Qwen's published
// cookbooks.

const MAX_SECONDS = 300;

const FIELD_NAMES: FieldNames = {
  x: "coordinate",
  y: "coordinate",
  clicks: "pixels",
  horizontal_clicks: "pixels",
};

const Coordinate = z.array(z.number()).length(2);
const At = z.object({ coordinate: Coordinate.optional() });
const To = z.object({ coordinate: Coordinate });
const Pixels = At.extend({ pixels: z.number() });
const action = actionOn<AgentComputer, End | void>();

const ACTIONS: ComputerActions = {
  key: action(
    z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_KEYS) }),
    (computer, { keys }) => computer.hotkey(keys),
  ),
  type: action(z.object({ text: z.string() }), (computer, { text }) => computer.type(text)),
  mouse_move: action(To, (computer, { coordinate }) => computer.move(spot(coordinate))),
  left_click: click("left", 1),
  left_click_drag: action(
    To,
    (computer, { coordinate }) => computer.drag({ to: spot(coordinate) }),
  ),
  right_click: click("right", 1),
  middle_click: click("middle", 1),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  // a positive number scrolls up
  scroll: action(
    Pixels,
    (computer, { coordinate, pixels }) =>
      computer.scroll({ at: coordinate && spot(coordinate), down: -toNotches(pixels) }),
  ),
  hscroll: action(
    Pixels,
    (computer, { coordinate, pixels }) =>
      computer.scroll({ at: coordinate && spot(coordinate), right: toNotches(pixels) }),
  ),
  wait: action(
    z.object({ time: z.number().min(0).max(MAX_SECONDS) }),
    (computer, { time }) => computer.wait(time * 1_000),
  ),
  terminate: action(
    z.object({ status: z.enum(["success", "failure"]), text: z.string().optional() }),
    (_computer, { status, text }) => ({ kind: "terminate", status, content: text ?? null }),
  ),
  answer: action(
    z.object({ text: z.string() }),
    (_computer, { text }) => ({ kind: "answer", status: null, content: text }),
  ),
};

function click(button: ButtonName, count: number) {
  return action(
    At,
    (computer, { coordinate }) =>
      computer.click({ button, count, at: coordinate && spot(coordinate) }),
  );
}

function spot([x, y]: readonly number[]): Spot {
  return { point: { x: x!, y: y! }, field: "coordinate" };
}

// The calls in a chat message of a Qwen model: `tool_calls` as servers with OpenAI's interface give
// them, or `<tool_call>` in the text as the model itself writes them.

const MAX_CALLS = 1_000;
const MAX_TEXT = 1_000_000;
/** Characters of the arguments of a call: more than the longest text that is typed. */
const MAX_ARGUMENTS = 250_000;
/** Values in the arguments of a call, nested ones too: many take long to parse. */
const MAX_VALUES = 1_000;
const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";
const NAME = "computer_use";

const Message = z.looseObject({
  content: z.union([z.string().max(MAX_TEXT), z.array(z.looseObject({})).max(MAX_CALLS)]).nullish(),
  tool_calls: z.array(z.looseObject({})).max(MAX_CALLS).nullish(),
}).describe(
  "The model's message, as the server returned it; without `tool_calls` the calls are parsed from the text of `content`.",
);

/** A call of the function, by the id to answer it with. */
interface ToolCall {
  readonly id: string | undefined;
  readonly action: AskedAction;
}

/**
 * Calls of other functions are left out: they are the caller's own. Lets other work go on between
 * two calls.
 * @throws FieldError for a text that is too long or has too many calls
 */
async function readCalls(
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

function tooMuch(what: string): FieldError {
  return new FieldError(["message", "content"], `The text has more than ${what}`);
}

async function readEach<T>(
  given: readonly T[],
  read: (given: T) => ToolCall | undefined,
): Promise<readonly ToolCall[]> {
  const yielder = new EventLoopYielder();
  const calls: ToolCall[] = [];
  for (const each of given) {
    const call = read(each);
    if (call !== undefined) calls.push(call);
    await yielder.yieldIfDue();
  }
  return calls;
}

function readToolCall({ id, function: called }: Fields): ToolCall | undefined {
  const { name, arguments: given } = isObject(called) ? called : {};
  if (name !== NAME) return undefined;
  return { id: typeof id === "string" ? id : undefined, action: toAction(parse(given)) };
}

function readTag(text: string): ToolCall | undefined {
  const parsed = parse(text);
  const call = "value" in parsed && isObject(parsed.value) ? parsed.value : undefined;
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
    return { fault: "are not a JSON object" };
  }
}

function toAction(parsed: Parsed): AskedAction {
  if ("value" in parsed && isObject(parsed.value)) {
    const { action, ...fields } = parsed.value;
    return { name: action, fields };
  }
  const what = "fault" in parsed ? parsed.fault : "are not a JSON object";
  const problem = new ServiceError("invalid", `The arguments of the tool call ${what}`);
  return { name: "", fields: {}, problem };
}

function readText(content: z.output<typeof Message>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => typeof text === "string" ? text : "").join("");
}
