/**
 * The function calls of Gemini's two interfaces: parts of `generateContent` (`functionCall`) and
 * steps of the Interactions API (`function_call`). Source: the types of `@google/genai` 3.1.0.
 */

import { z } from "zod";
import { ValueFault } from "../../../core/errors.ts";

const MAX_PARTS = 1_000;
const MAX_NAME = 256;

export const Parts = z.array(z.looseObject({})).max(MAX_PARTS).default([]).describe(
  "The `parts` of the model's content, as `generateContent` gave them; those without a `functionCall` are left out.",
);

export const Steps = z.array(z.looseObject({ type: z.string().max(MAX_NAME) })).max(MAX_PARTS)
  .default([]).describe(
    "The steps of an interaction instead, as the Interactions API gave them; those of other types than `function_call` are left out.",
  );

type Fields = Readonly<Record<string, unknown>>;

/** One call; its answer has the form of the interface that it came from. */
export interface FunctionCall {
  readonly form: "part" | "step";
  /** Its place among all calls of the request, from 0. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Fields;
  readonly safety: Safety | undefined;
}

/** What the model's safety system says about a call that somebody must agree to. */
export interface Safety {
  readonly decision: string;
  readonly explanation: string | null;
}

/** Decisions with which a call may run at once. */
const HARMLESS: ReadonlySet<string> = new Set(["regular", "allow", "allowed"]);

export function readCalls(parts: readonly Fields[], steps: readonly Fields[]) {
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
      throw new ValueFault("steps", "A step of the type function_call needs its id");
    }
    const fields = args ?? other ?? {};
    if (typeof name === "string" && name.length > MAX_NAME) {
      throw new ValueFault(`${form}s`, `The name of a function has at most ${MAX_NAME} characters`);
    }
    return {
      ...{ form, index },
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
