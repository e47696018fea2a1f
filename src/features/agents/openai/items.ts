/**
 * The items of OpenAI's Responses API that matter here: what a model asks for, and what it is
 * answered. Source: the types of the package `openai` 7.57.0.
 */

import { z } from "zod";
import { FieldError } from "../../../core/errors.ts";
import { nameValue } from "../../../core/texts.ts";

const MAX_ITEMS = 1_000;
const MAX_NAME = 256;
const MAX_CHECKS = 100;
const MAX_CALLS = 100;
/** Each is answered with a picture of its own. */
const MAX_COMPUTER_CALLS = 20;

const Item = z.looseObject({
  type: z.string().max(MAX_NAME).describe(
    "Items of types other than `computer_call`, `apply_patch_call`, `shell_call` and `local_shell_call` are ignored.",
  ),
});

export const Output = z.array(Item).max(MAX_ITEMS)
  .describe("The `output` of the model's response, as the API returned it.");

const SafetyCheck = z.looseObject({
  id: z.string().max(MAX_NAME),
  code: z.string().nullish(),
  message: z.string().nullish(),
});

export type SafetyCheck = Readonly<z.output<typeof SafetyCheck>>;

const SafetyChecks = z.array(SafetyCheck).max(MAX_CHECKS).nullish();

export const Acknowledged = z.array(SafetyCheck).max(MAX_CHECKS).default([]).describe(
  "The `pending_safety_checks` of the calls that a person has approved.",
);

const TYPES = ["computer_call", "apply_patch_call", "shell_call", "local_shell_call"] as const;

/** A call that is answered here. */
export interface Call {
  readonly type: typeof TYPES[number];
  readonly callId: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly checks: readonly SafetyCheck[];
}

/** An item for the `input` of the next request. */
export type AnswerItem = Readonly<Record<string, unknown>> & { readonly type: string };

export const AnswerItems = z.array(z.looseObject({ type: z.string() }));

/**
 * The calls of a response, in their order. Calls that the vendor runs itself are left out.
 * @throws FieldError for what cannot be answered: a call without its id, or too many
 */
export function readCalls(output: z.output<typeof Output>): readonly Call[] {
  const calls = output.flatMap((item, index) => {
    const type = TYPES.find((known) => known === item.type);
    return type !== undefined && isLocal(item) ? [readCall(type, item, index)] : [];
  });
  const computerCalls = calls.filter(({ type }) => type === "computer_call");
  checkCount(calls, "calls", MAX_CALLS);
  checkCount(computerCalls, "computer calls", MAX_COMPUTER_CALLS);
  return calls;
}

function readCall(type: Call["type"], item: Call["item"], index: number): Call {
  const callId = item["call_id"] ?? item["id"];
  if (typeof callId !== "string" || callId === "" || callId.length > MAX_NAME) {
    const message = `A call needs its call_id: a text of 1 to ${MAX_NAME} characters`;
    throw new FieldError(["output", index, "call_id"], message);
  }
  const checks = SafetyChecks.safeParse(item["pending_safety_checks"]);
  if (!checks.success) { // nobody could be asked about them
    const message = "The safety checks of this call cannot be parsed, so it is not performed";
    throw new FieldError(["output", index, "pending_safety_checks"], message);
  }
  return { type, callId, item, checks: checks.data ?? [] };
}

function checkCount(calls: readonly Call[], what: string, most: number): void {
  if (calls.length <= most) return;
  const message = `There are ${calls.length} ${what}, and at most ${most} are answered at once`;
  throw new FieldError("output", message);
}

/** Whether a shell call is meant for the caller's computer, not for the vendor's container. */
function isLocal(item: Readonly<Record<string, unknown>>): boolean {
  const environment = item["environment"] as { readonly type?: unknown } | null | undefined;
  return !nameValue(environment?.type ?? "local").startsWith("container");
}
