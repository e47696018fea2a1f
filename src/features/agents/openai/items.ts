/**
 * The items of OpenAI's Responses API that matter here: what a model asks for, and what it is
 * answered. Source: the types of the package `openai` 7.57.0.
 */

import { z } from "zod";

const MAX_ITEMS = 1_000;
const MAX_NAME = 256;
const MAX_CHECKS = 100;

const Item = z.looseObject({
  type: z.string().max(MAX_NAME).describe(
    "Items of other types than `computer_call`, `apply_patch_call`, `shell_call` and `local_shell_call` are left out.",
  ),
});

export const Output = z.array(Item).max(MAX_ITEMS)
  .describe("This is the `output` of the model's response, as the API gave it.");

const SafetyCheck = z.object({
  id: z.string().max(MAX_NAME),
  code: z.string().nullish(),
  message: z.string().nullish(),
});

export type SafetyCheck = Readonly<z.output<typeof SafetyCheck>>;

export const Acknowledged = z.array(SafetyCheck).max(MAX_CHECKS).default([]).describe(
  "These are the `pending_safety_checks` of the calls that a person has agreed to.",
);

/** A call that is answered here. */
export interface Call {
  readonly type: "computer_call" | "apply_patch_call" | "shell_call" | "local_shell_call";
  readonly callId: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly checks: readonly SafetyCheck[];
}

/** An item for the `input` of the next request. */
export type AnswerItem = Readonly<Record<string, unknown>> & { readonly type: string };

export const AnswerItems = z.array(z.looseObject({ type: z.string() }));

const TYPES: ReadonlySet<string> = new Set<Call["type"]>([
  "computer_call",
  "apply_patch_call",
  "shell_call",
  "local_shell_call",
]);

/**
 * The calls of a response, in their order. Calls that the vendor runs itself are left out.
 * @throws ZodError for a call that cannot be answered, because it lacks its id
 */
export function readCalls(output: z.output<typeof Output>): readonly Call[] {
  return output.filter(({ type }) => TYPES.has(type)).filter(isLocal).map((item) => {
    const checks = z.array(SafetyCheck).max(MAX_CHECKS).nullish()
      .safeParse(item["pending_safety_checks"]);
    return {
      type: item.type as Call["type"],
      callId: String(item["call_id"] ?? item["id"]),
      item,
      // a list that cannot be read is something to ask about, too
      checks: checks.success
        ? checks.data ?? []
        : [{ id: "", message: "unreadable safety checks" }],
    };
  });
}

/** Whether a shell call is meant for the caller's computer, not for the vendor's container. */
function isLocal(item: Readonly<Record<string, unknown>>): boolean {
  const environment = item["environment"] as { readonly type?: unknown } | null | undefined;
  return !String(environment?.type ?? "local").startsWith("container");
}
