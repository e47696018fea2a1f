/** Defines the operation that the answers of Gemini models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError } from "../../../core/errors.ts";
import { nameValue } from "../../../core/texts.ts";
import { type Fields, isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import { actionOn, type FieldNames } from "../actions.ts";
import type { AgentComputer, ButtonName, Spot } from "../agent_computer.ts";
import { computerFields } from "../computer_fields.ts";
import { inDirection, toNotches } from "../coordinate_space.ts";
import { domKeyName, MAX_KEYS } from "../key_names.ts";
import { type AgentPicture, answerWithPictures, type EncodePicture } from "../pictures.ts";
import { type ComputerActions, performTurn, TURN } from "../turn.ts";

export function geminiOperation(limits: Limits): Operation {
  return defineOperation({
    ...TURN,
    id: "answerGemini",
    runsOthers: true,
    path: "/api/agents/gemini",
    summary: "Perform the function calls of a Gemini model",
    description:
      "Takes the `parts` of the model's content (or the steps of an interaction) as they are, performs the functions of the " +
      "computer use tool's desktop environment in order, and answers each. Coordinates go from 0 to 999 in both " +
      "directions. A function that fails has a result with `error`; functions after it are not performed. While a call whose " +
      "`safety_decision` asks for a confirmation is not acknowledged, nothing is performed. When the client disconnects, the action " +
      "stops, and the keys and buttons that the turn pressed are released.",
    body: geminiFields(limits),
    answer: json("Every call has its answer, or confirmations are needed.", GeminiAnswer),
    run: answerContent,
  });
}

// The answers to Gemini's function calls, in the form of the interface that each came from.

interface Result {
  readonly call: FunctionCall;
  /** What went wrong, in words for the model. */
  readonly error: string | undefined;
  readonly picture: AgentPicture | undefined;
}

/** A part with a `functionResponse`, for a content with the role `user`. */
function toPart({ call, error, picture }: Result, base64: EncodePicture) {
  const { id, name, safety } = call;
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name,
      response: {
        ...(error === undefined ? { output: "done" } : { error }),
        ...(safety === undefined ? {} : { safety_acknowledgement: "true" }),
      },
      ...(picture === undefined ? {} : {
        parts: [{ inlineData: { mimeType: picture.mediaType, data: base64(picture) } }],
      }),
    },
  };
}

/** A step of the type `function_result`. */
function toStep({ call, error, picture }: Result, base64: EncodePicture) {
  const { id, name, safety } = call;
  const acknowledged = safety === undefined ? "" : '; "safety_acknowledgement": "true"';
  return {
    type: "function_result",
    call_id: id ?? "",
    name,
    ...(error === undefined ? {} : { is_error: true }),
    result: [
      { type: "text", text: `${error ?? "done"}${acknowledged}` },
      ...(picture === undefined
        ? []
        : [{ type: "image", data: base64(picture), mime_type: picture.mediaType }]),
    ],
  };
}

// Performs the function calls of one turn of a Gemini model, in their order, and answers each.

const HALTED = "Not performed: an earlier function of this turn failed.";

async function answerContent(context: Context, input: GeminiInput) {
  const calls = readCalls(input.parts, input.steps);
  const pending = calls.filter(({ safety, id, index }) =>
    safety !== undefined &&
    !input.acknowledged.some((one) => one === index || id !== undefined && one === id)
  );
  if (pending.length > 0) {
    return { parts: [], steps: [], confirmations: pending.map(toConfirmation), frame: null };
  }
  const results = await perform(context, input, calls);
  const frame = results.findLast(({ picture }) => picture !== undefined)?.picture?.frame ?? null;
  return answerWithPictures((base64) => ({
    parts: results.filter(({ call }) => call.form === "part").map((one) => toPart(one, base64)),
    steps: results.filter(({ call }) => call.form === "step").map((one) => toStep(one, base64)),
    confirmations: [],
    frame,
  }));
}

function toConfirmation({ index, id, name, safety }: FunctionCall) {
  return { index, id: id ?? null, name, ...safety! };
}

/** The last result has the picture after the actions. */
async function perform(
  context: Context,
  input: GeminiInput,
  calls: readonly FunctionCall[],
): Promise<readonly Result[]> {
  if (calls.length === 0) return [];
  const turn = await performTurn(context, {
    ...input,
    fit: input.fit ?? "gemini",
    space: "0..999",
  }, { actions: calls, table: FUNCTIONS, fieldNames: FIELD_NAMES });
  return turn.results.map(({ status, error, picture }, index) => ({
    call: calls[index]!,
    error: status === "done" ? undefined : error ?? HALTED,
    picture: index === calls.length - 1 ? turn.picture ?? picture : picture,
  }));
}

// The functions of Gemini's computer use tool in its desktop environment. Source: Google's guide
// "Computer use", November 2026.

const MAX_SECONDS = 300;
const DEFAULT_SCROLL_PIXELS = 300;

/** Our operations' fields by the names that the functions have for them. */
const FIELD_NAMES: FieldNames = {
  from: "start_x, start_y",
  clicks: "magnitude_in_pixels",
  horizontal_clicks: "magnitude_in_pixels",
};

/** Why the model does it, and what its safety system says: read elsewhere. */
const Meta = z.object({ intent: z.string().optional(), safety_decision: z.unknown().optional() });
const PointFields = Meta.extend({ x: z.number(), y: z.number() });
const KeyName = z.string().min(1).max(64);
const Key = Meta.extend({ key: KeyName });
const action = actionOn<AgentComputer, AgentPicture | void>();

const FUNCTIONS: ComputerActions = {
  click: click("left", 1),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  middle_click: click("middle", 1),
  right_click: click("right", 1),
  mouse_down: action(PointFields, (computer, { x, y }) => computer.pressButton("left", spot(x, y))),
  mouse_up: action(PointFields, (computer, { x, y }) => computer.releaseButton("left", spot(x, y))),
  move: action(PointFields, (computer, { x, y }) => computer.move(spot(x, y))),
  type: action(
    Meta.extend({ text: z.string(), press_enter: z.boolean().default(false) }),
    (computer, { text, press_enter }) => computer.type(press_enter ? `${text}\n` : text),
  ),
  drag_and_drop: action(
    Meta.extend({
      start_x: z.number(),
      start_y: z.number(),
      end_x: z.number(),
      end_y: z.number(),
    }),
    (computer, { start_x, start_y, end_x, end_y }) =>
      computer.drag({
        from: spot(start_x, start_y, "start_x, start_y"),
        to: spot(end_x, end_y, "end_x, end_y"),
      }),
  ),
  wait: action(
    Meta.extend({ seconds: z.number().min(0).max(MAX_SECONDS).default(1) }),
    (computer, { seconds }) => computer.wait(seconds * 1_000),
  ),
  press_key: action(Key, (computer, { key }) => computer.hotkey([key])),
  key_down: action(Key, (computer, { key }) => computer.holdKey(domKeyName(key))),
  key_up: action(Key, (computer, { key }) => computer.releaseKey(domKeyName(key))),
  hotkey: action(
    Meta.extend({ keys: z.array(KeyName).min(1).max(MAX_KEYS) }),
    (computer, { keys }) => computer.hotkey(keys),
  ),
  take_screenshot: action(Meta, (computer) => computer.screenshot()),
  scroll: action(
    PointFields.extend({
      direction: z.enum(["up", "down", "left", "right"]),
      magnitude_in_pixels: z.number().min(0).default(DEFAULT_SCROLL_PIXELS),
    }),
    (computer, { x, y, direction, magnitude_in_pixels }) =>
      computer.scroll({
        at: spot(x, y),
        ...inDirection(direction, toNotches(magnitude_in_pixels)),
      }),
  ),
};

function click(button: ButtonName, count: number) {
  return action(
    PointFields,
    (computer, { x, y }) => computer.click({ button, count, at: spot(x, y) }),
  );
}

function spot(x: number, y: number, field = "x, y"): Spot {
  return { point: { x, y }, field };
}

// The fields of `POST /api/agents/gemini` and of its answer.

const MAX_ACKNOWLEDGED = 1_000;

function geminiFields(limits: Limits) {
  return z.object({
    parts: Parts,
    steps: Steps,
    acknowledged: z.array(z.union([z.string().max(256), z.int().min(0)])).max(MAX_ACKNOWLEDGED)
      .default([]).describe(
        "The ids, or the indexes from 0, of the calls that a person has approved.",
      ),
    ...computerFields(limits, "`gemini`"),
  });
}

type GeminiInput = Readonly<z.output<ReturnType<typeof geminiFields>>>;

const GeminiAnswer = z.object({
  parts: z.array(z.looseObject({}))
    .describe("The `parts` of your next content, whose role is `user`."),
  steps: z.array(z.looseObject({ type: z.string() }))
    .describe("The steps of your next input, for calls that came as steps."),
  confirmations: z.array(z.object({
    index: z.int().describe("The index of the call in the request, from 0."),
    id: z.string().nullable(),
    name: z.string(),
    decision: z.string(),
    explanation: z.string().nullable(),
  })).describe(
    "A person must approve these calls first: nothing was performed. Ask a person, then send the same request with their ids or indexes in `acknowledged`.",
  ),
  frame: z.string().nullable().describe("The `X-Frame` of the last picture."),
});

// The function calls of Gemini's two interfaces: parts of `generateContent` (`functionCall`) and
// steps of the Interactions API (`function_call`). Source: the types of `@google/genai` 3.1.0.

const MAX_PARTS = 1_000;
const MAX_NAME = 256;

const Parts = z.array(z.looseObject({})).max(MAX_PARTS).default([]).describe(
  "The `parts` of the model's content, as `generateContent` returned them; those without a `functionCall` are ignored.",
);

const Steps = z.array(z.looseObject({ type: z.string().max(MAX_NAME) })).max(MAX_PARTS)
  .default([]).describe(
    "The steps of an interaction instead, as the Interactions API returned them; those of types other than `function_call` are ignored.",
  );

/** One call; its answer has the form of the interface that it came from. */
interface FunctionCall {
  readonly form: "part" | "step";
  /** Its place among all calls of the request, from 0. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  readonly fields: Fields;
  readonly safety: Safety | undefined;
}

/** What the model's safety system says about a call that somebody must agree to. */
interface Safety {
  readonly decision: string;
  readonly explanation: string | null;
}

/** Decisions with which a call may run at once. */
const HARMLESS: ReadonlySet<string> = new Set(["regular", "allow", "allowed"]);

function readCalls(parts: readonly Fields[], steps: readonly Fields[]) {
  const given = [
    ...parts.flatMap(({ functionCall, function_call }) => {
      const call = functionCall ?? function_call;
      return isObject(call) ? [{ form: "part" as const, call }] : [];
    }),
    ...steps.flatMap((step) =>
      step["type"] === "function_call" ? [{ form: "step" as const, call: step }] : []
    ),
  ];
  return given.map(({ form, call }, index): FunctionCall => {
    const { id, name, args, arguments: other } = call;
    if (form === "step" && typeof id !== "string") {
      throw new FieldError("steps", "A step of the type function_call needs its id");
    }
    const fields = args ?? other ?? {};
    if (typeof name === "string" && name.length > MAX_NAME) {
      throw new FieldError(`${form}s`, `The name of a function has at most ${MAX_NAME} characters`);
    }
    return {
      form,
      index,
      id: typeof id === "string" ? id : undefined,
      name: nameValue(name),
      fields: isObject(fields) ? fields : {},
      safety: readSafety(isObject(fields) ? fields["safety_decision"] : undefined),
    };
  });
}

/** A decision that nobody knows is one to ask about. */
function readSafety(given: unknown): Safety | undefined {
  if (given === undefined || given === null) return undefined;
  const { decision, explanation } = isObject(given) ? given : { decision: given };
  const text = nameValue(decision ?? "unknown").slice(0, MAX_NAME).toWellFormed();
  if (HARMLESS.has(text.toLowerCase())) return undefined;
  return { decision: text, explanation: typeof explanation === "string" ? explanation : null };
}
