/** Defines the operation that the answers of Qwen's vision models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import { findExcess, MAX_DEPTH } from "../../../core/json_scan.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { tryParseJson } from "../../../core/texts.ts";
import { type Fields, isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { defineOperation, json, type Operation } from "../../operation.ts";
import type { FieldNames } from "../actions.ts";
import type { Spot } from "../agent_computer.ts";
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
  clicksOn,
  computerAction as action,
  type ComputerActions,
  type RequestedAction,
  turnBase,
} from "../turn.ts";

export function qwenOperation(limits: Limits): Operation {
  return defineOperation({
    ...turnBase("answerQwen", "qwen"),
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
    const texts = results.map(describeResult);
    if (calls.some(({ id }) => id === undefined)) {
      // the form in which the model has learnt to read results
      const tags = texts.map((text) => `<tool_response>\n${text}\n</tool_response>`);
      return { messages: [], text: tags.join("\n") };
    }
    const toMessage = (content: string, index: number) => {
      return { role: "tool", tool_call_id: calls[index]!.id, content };
    };
    return { messages: texts.map(toMessage) };
  });
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
const Keys = z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_KEYS) });
const Text = z.object({ text: z.string() });
const Wait = z.object({ time: z.number().min(0).max(MAX_SECONDS) });
const Terminate = z.object({ status: z.enum(["success", "failure"]), text: z.string().optional() });

const click = clicksOn(At, ({ coordinate }) => ({ at: coordinate && spot(coordinate) }));

const ACTIONS: ComputerActions = {
  key: action(Keys, (computer, { keys }) => computer.hotkey(keys)),
  type: action(Text, (computer, { text }) => computer.type(text)),
  mouse_move: action(To, (computer, { coordinate }) => computer.move(spot(coordinate))),
  left_click: click("left"),
  left_click_drag: action(
    To,
    (computer, { coordinate }) => computer.drag({ to: spot(coordinate) }),
  ),
  right_click: click("right"),
  middle_click: click("middle"),
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
  wait: action(Wait, (computer, { time }) => computer.wait(time * 1_000)),
  terminate: action(
    Terminate,
    (_computer, { status, text }) => ({ kind: "terminate", status, content: text ?? null }),
  ),
  answer: action(Text, (_computer, { text }) => ({ kind: "answer", status: null, content: text })),
};

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
/** The last one need not be closed. */
const TAG = /<tool_call>([^]*?)(?:<\/tool_call>|$)/g;
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
  readonly action: RequestedAction;
}

/**
 * Calls of other functions are left out: they are the caller's own. Lets other work go on between
 * two calls.
 * @throws FieldError for a text that is too long or has too many calls
 */
async function readCalls({ content, tool_calls }: z.output<typeof Message>): Promise<ToolCall[]> {
  const yielder = new EventLoopYielder();
  const calls: ToolCall[] = [];
  for (const given of tool_calls?.length ? tool_calls : listTags(content)) {
    const call = typeof given === "string" ? readTag(given) : readToolCall(given);
    if (call !== undefined) calls.push(call);
    await yielder.yieldIfDue();
  }
  return calls;
}

/** What stands between the tags in a text. */
function listTags(content: z.output<typeof Message>["content"]): readonly string[] {
  const parts = typeof content === "string" ? [{ text: content }] : content ?? [];
  const whole = parts.map(({ text }) => typeof text === "string" ? text : "").join("");
  if (whole.length > MAX_TEXT) throw tooMuch(`${MAX_TEXT} characters`);
  const tags = [...whole.matchAll(TAG).take(MAX_CALLS + 1)].map(([, inside]) => inside!);
  if (tags.length > MAX_CALLS) throw tooMuch(`${MAX_CALLS} tool calls`);
  return tags;
}

function tooMuch(what: string): FieldError {
  return new FieldError(["message", "content"], `The text has more than ${what}`);
}

function readToolCall({ id, function: called }: Fields): ToolCall | undefined {
  const { name, arguments: given } = isObject(called) ? called : {};
  if (name !== NAME) return undefined;
  return { id: typeof id === "string" ? id : undefined, action: toAction(() => parse(given)) };
}

function readTag(text: string): ToolCall | undefined {
  let name: unknown;
  const action = toAction(() => {
    const call = parse(text);
    name = call["name"];
    return parse(call["arguments"]);
  });
  return name === undefined || name === NAME ? { id: undefined, action } : undefined;
}

function toAction(readArguments: () => Fields): RequestedAction {
  try {
    const { action, ...fields } = readArguments();
    return { name: action, fields };
  } catch (problem) {
    if (!(problem instanceof ServiceError)) throw problem;
    return { name: "", fields: {}, problem };
  }
}

/** The object that a JSON text means; an object is one already. */
function parse(given: unknown): Fields {
  const value = typeof given === "string" ? parseText(given) : given;
  if (!isObject(value)) throw unreadable("are not a JSON object");
  return value;
}

function parseText(text: string): unknown {
  if (text.length > MAX_ARGUMENTS) throw unreadable(`have more than ${MAX_ARGUMENTS} characters`);
  const excess = findExcess(new TextEncoder().encode(text), MAX_VALUES);
  if (excess?.what === "values") throw unreadable(`have more than ${MAX_VALUES} values`);
  if (excess?.what === "levels") throw unreadable(`have more than ${MAX_DEPTH} levels`);
  return tryParseJson(text);
}

function unreadable(why: string): ServiceError {
  return new ServiceError("invalid", `The arguments of the tool call ${why}`);
}
