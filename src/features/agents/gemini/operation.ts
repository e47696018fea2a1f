/** Defines the operation that the answers of Gemini models are given to. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { json } from "../../outcomes.ts";
import type { Streamed } from "../../streamed.ts";
import { AgentComputer, type ButtonName } from "../agent_computer.ts";
import type { Spot } from "../agent_display.ts";
import { computerFields, type ComputerInput } from "../computer_fields.ts";
import { toNotches } from "../coordinate_space.ts";
import { domKeyName, domKeyNames } from "../key_names.ts";
import {
  actionOn,
  type ActionTable,
  type FieldNames,
  performInOrder,
  readAction,
} from "../perform_in_order.ts";
import { pictureIfThere } from "../picture_if_there.ts";
import { type AgentPicture, answerWithPictures, type EncodePicture } from "../pictures.ts";

export function geminiOperation(limits: Limits): Operation {
  return defineOperation({
    id: "answerGemini",
    group: "agents",
    readOnly: false,
    runsOthers: true,
    long: true,
    method: "POST",
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
    errors: { conflict: "The client disconnected." },
    run: answerContent,
  });
}

// The answers to Gemini's function calls, in the form of the interface that each came from.

interface Result {
  readonly call: FunctionCall;
  /** What went wrong, in words for the model. */
  readonly error?: string;
  readonly picture?: AgentPicture;
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

const MAX_CALLS = 100;
/** Of one turn. */
const MAX_SCREENSHOTS = 20;
const HALTED = "Not performed: an earlier function of this turn failed.";

async function answerContent(
  context: Context,
  input: GeminiInput,
): Promise<GeminiAnswer | Streamed> {
  const calls = readCalls(input.parts, input.steps);
  const pending = calls.filter(({ safety, id, index }) =>
    safety !== undefined &&
    !input.acknowledged.some((one) => one === index || id !== undefined && one === id)
  );
  if (pending.length > 0) {
    return { parts: [], steps: [], confirmations: pending.map(toConfirmation), frame: null };
  }
  const results: readonly Result[] = calls.length > MAX_CALLS
    ? calls.map((call) => ({ call, error: `A turn takes at most ${MAX_CALLS} calls` }))
    : await perform(context, input, calls);
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

async function perform(
  context: Context,
  input: GeminiInput,
  calls: readonly FunctionCall[],
): Promise<readonly Result[]> {
  const { signal } = context;
  const fit = input.fit ?? "gemini";
  await using computer = new AgentComputer(context, { ...input, fit, space: "0..999" });
  try {
    let screenshots = 0;
    const results = await performInOrder<FunctionCall, Result>(calls, signal, {
      async perform(call) {
        await readAction(FUNCTIONS, call.name, call.args).run(computer);
        if (call.name !== "take_screenshot") return { call };
        if (++screenshots > MAX_SCREENSHOTS) {
          throw new ServiceError("invalid", `A turn has at most ${MAX_SCREENSHOTS} screenshots`);
        }
        return { call, picture: await computer.screenshot() };
      },
      failed: (call, error) => ({ call, error }),
      notRun: (call) => ({ call, error: HALTED }),
      fieldNames: FIELD_NAMES,
    });
    const last = results.at(-1);
    if (!input.then_screenshot || last === undefined || last.picture) return results;
    return results.with(-1, { ...last, ...await pictureIfThere(computer) });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ServiceError("conflict", "Stopped: the client disconnected");
  }
}

// The functions of Gemini's computer use tool in its desktop environment. Source: Google's guide
// "Computer use", November 2026.

const MAX_SECONDS = 300;
const MAX_KEYS = 16;
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
const action = actionOn<AgentComputer>();

const FUNCTIONS: ActionTable<AgentComputer> = {
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
  press_key: action(Key, async (computer, { key }) => {
    await computer.call("pressHotkey", { keys: domKeyNames([key]) });
  }),
  key_down: action(Key, (computer, { key }) => computer.holdKey(domKeyName(key))),
  key_up: action(Key, (computer, { key }) => computer.releaseKey(domKeyName(key))),
  hotkey: action(
    Meta.extend({ keys: z.array(KeyName).min(1).max(MAX_KEYS) }),
    async (computer, { keys }) => {
      await computer.call("pressHotkey", { keys: domKeyNames(keys) });
    },
  ),
  take_screenshot: action(Meta, async () => {}), // its result has a picture
  scroll: action(
    PointFields.extend({
      direction: z.enum(["up", "down", "left", "right"]),
      magnitude_in_pixels: z.number().min(0).default(DEFAULT_SCROLL_PIXELS),
    }),
    (computer, { x, y, direction, magnitude_in_pixels }) => {
      const notches = toNotches(magnitude_in_pixels);
      const turns = direction === "down" || direction === "right" ? notches : -notches;
      const isVertical = direction === "up" || direction === "down";
      return computer.scroll({
        at: spot(x, y),
        ...isVertical ? { down: turns } : { right: turns },
      });
    },
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

interface GeminiInput extends ComputerInput {
  readonly parts: z.output<typeof Parts>;
  readonly steps: z.output<typeof Steps>;
  readonly acknowledged: readonly (string | number)[];
  readonly then_screenshot: boolean;
}

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

type GeminiAnswer = z.output<typeof GeminiAnswer>;

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

type Fields = Readonly<Record<string, unknown>>;

/** One call; its answer has the form of the interface that it came from. */
interface FunctionCall {
  readonly form: "part" | "step";
  /** Its place among all calls of the request, from 0. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Fields;
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
      return isFields(call) ? [{ form: "part" as const, call }] : [];
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
      name: String(name),
      args: isFields(fields) ? fields : {},
      safety: readSafety(isFields(fields) ? fields["safety_decision"] : undefined),
    };
  });
}

/** A decision that nobody knows is one to ask about. */
function readSafety(given: unknown): Safety | undefined {
  if (given === undefined || given === null) return undefined;
  const { decision, explanation } = isFields(given) ? given : { decision: given };
  const text = String(decision ?? "unknown").slice(0, MAX_NAME).toWellFormed();
  if (HARMLESS.has(text.toLowerCase())) return undefined;
  return { decision: text, explanation: typeof explanation === "string" ? explanation : null };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
