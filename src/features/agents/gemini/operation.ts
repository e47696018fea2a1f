/** Defines the operation that the answers of Gemini models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError } from "../../../core/errors.ts";
import type { Point } from "../../../core/geometry.ts";
import { nameValue } from "../../../core/texts.ts";
import { type Fields, isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { defineOperation, json, type Operation } from "../../operation.ts";
import type { FieldNames } from "../actions.ts";
import type { Spot } from "../agent_computer.ts";
import { inDirection, toNotches } from "../coordinate_space.ts";
import { domKeyName, MAX_KEYS } from "../key_names.ts";
import {
  type AgentPicture,
  answerWithPictures,
  computerFields,
  type EncodePicture,
} from "../pictures.ts";
import { clicksOn, computerAction, type ComputerActions, performTurn, turnBase } from "../turn.ts";

export function geminiOperation(limits: Limits): Operation {
  return defineOperation({
    ...turnBase("answerGemini", "gemini"),
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

// Performs the function calls of one turn of a Gemini model, in their order, and answers each.

const HALTED = "Not performed: an earlier function of this turn failed.";

async function answerContent(context: Context, input: GeminiInput) {
  const calls = readCalls(input.parts, input.steps);
  const pending = calls.filter(({ safety, id, index }) =>
    safety !== undefined &&
    !input.acknowledged.some((one) => one === index || id !== undefined && one === id)
  );
  if (pending.length > 0) {
    const confirmations = pending.map(({ index, id, name, safety }) => {
      return { index, id: id ?? null, name, ...safety! };
    });
    return { parts: [], steps: [], confirmations, frame: null };
  }
  const turn = await performTurn(context, {
    ...input,
    then_screenshot: input.then_screenshot && calls.length > 0,
    fit: input.fit ?? "gemini",
    space: "0..999",
    fieldNames: FIELD_NAMES,
  }, { actions: calls, table: FUNCTIONS });
  const pictures = turn.results.map(({ picture }) => picture);
  if (turn.picture !== undefined) pictures[pictures.length - 1] = turn.picture;
  return answerWithPictures((base64) => {
    const answers = turn.results.map(({ status, error }, index): Answered => ({
      ...calls[index]!,
      error: status === "done" ? undefined : error ?? HALTED,
      picture: pictures[index],
      base64,
    }));
    return {
      parts: answers.filter(({ form }) => form === "part").map(toPart),
      steps: answers.filter(({ form }) => form === "step").map(toStep),
      confirmations: [],
      frame: pictures.findLast((picture) => picture !== undefined)?.frame ?? null,
    };
  });
}

/** A call with its answer, in the form of the interface that it came from. */
interface Answered extends FunctionCall {
  /** What went wrong, in words for the model. */
  readonly error: string | undefined;
  readonly picture: AgentPicture | undefined;
  readonly base64: EncodePicture;
}

/** A part with a `functionResponse`, for a content with the role `user`. */
function toPart({ id, name, safety, error, picture, base64 }: Answered) {
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name,
      response: {
        ...(error === undefined ? { output: "done" } : { error }),
        ...(safety && { safety_acknowledgement: "true" }),
      },
      ...(picture && {
        parts: [{ inlineData: { mimeType: picture.mediaType, data: base64(picture) } }],
      }),
    },
  };
}

/** A step of the type `function_result`. */
function toStep({ id, name, safety, error, picture, base64 }: Answered) {
  const text = `${error ?? "done"}${safety ? '; "safety_acknowledgement": "true"' : ""}`;
  return {
    type: "function_result",
    call_id: id ?? "",
    name,
    ...(error !== undefined && { is_error: true }),
    result: [
      { type: "text", text },
      ...(picture ? [{ type: "image", data: base64(picture), mime_type: picture.mediaType }] : []),
    ],
  };
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
const Typing = Meta.extend({ text: z.string(), press_enter: z.boolean().default(false) });
const Drag = Meta.extend({
  start_x: z.number(),
  start_y: z.number(),
  end_x: z.number(),
  end_y: z.number(),
});
const KeyName = z.string().min(1).max(64);
const Key = Meta.extend({ key: KeyName });
const Keys = Meta.extend({ keys: z.array(KeyName).min(1).max(MAX_KEYS) });
const Wait = Meta.extend({ seconds: z.number().min(0).max(MAX_SECONDS).default(1) });
const Scroll = PointFields.extend({
  direction: z.enum(["up", "down", "left", "right"]),
  magnitude_in_pixels: z.number().min(0).default(DEFAULT_SCROLL_PIXELS),
});

const action = computerAction;
const click = clicksOn(PointFields, (at) => ({ at: spot(at) }));

const FUNCTIONS: ComputerActions = {
  click: click("left"),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  middle_click: click("middle"),
  right_click: click("right"),
  mouse_down: action(PointFields, (computer, at) => computer.pressButton("left", spot(at))),
  mouse_up: action(PointFields, (computer, at) => computer.releaseButton("left", spot(at))),
  move: action(PointFields, (computer, at) => computer.move(spot(at))),
  type: action(
    Typing,
    (computer, { text, press_enter }) => computer.type(press_enter ? `${text}\n` : text),
  ),
  drag_and_drop: action(Drag, (computer, { start_x, start_y, end_x, end_y }) =>
    computer.drag({
      from: spot({ x: start_x, y: start_y }, "start_x, start_y"),
      to: spot({ x: end_x, y: end_y }, "end_x, end_y"),
    })),
  wait: action(Wait, (computer, { seconds }) => computer.wait(seconds * 1_000)),
  press_key: action(Key, (computer, { key }) => computer.hotkey([key])),
  key_down: action(Key, (computer, { key }) => computer.holdKey(domKeyName(key))),
  key_up: action(Key, (computer, { key }) => computer.releaseKey(domKeyName(key))),
  hotkey: action(Keys, (computer, { keys }) => computer.hotkey(keys)),
  take_screenshot: action(Meta, (computer) => computer.screenshot()),
  scroll: action(
    Scroll,
    (computer, { direction, magnitude_in_pixels, ...at }) =>
      computer.scroll({ at: spot(at), ...inDirection(direction, toNotches(magnitude_in_pixels)) }),
  ),
};

function spot({ x, y }: Point, field = "x, y"): Spot {
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
  /** Its index among all calls of the request, from 0. */
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

function readCalls(parts: readonly Fields[], steps: readonly Fields[]): FunctionCall[] {
  const called = parts.map(({ functionCall, function_call }) => functionCall ?? function_call);
  const given = [
    ...called.filter(isObject).map((call) => ({ form: "part" as const, call })),
    ...steps.filter(({ type }) => type === "function_call")
      .map((call) => ({ form: "step" as const, call })),
  ];
  return given.map(({ form, call }, index) => {
    const { id, name, args, arguments: other } = call;
    if (form === "step" && typeof id !== "string") {
      throw new FieldError("steps", "A step of the type function_call needs its id");
    }
    if (typeof name === "string" && name.length > MAX_NAME) {
      throw new FieldError(`${form}s`, `The name of a function has at most ${MAX_NAME} characters`);
    }
    const given = args ?? other;
    const fields = isObject(given) ? given : {};
    return {
      form,
      index,
      id: typeof id === "string" ? id : undefined,
      name: nameValue(name),
      fields,
      safety: readSafety(fields["safety_decision"]),
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
