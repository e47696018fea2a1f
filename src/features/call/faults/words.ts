/** Words the fault of one value as pydantic does, which clients know. */

import { z } from "zod";
import type { Fault } from "../../../core/errors.ts";
import type { Issue } from "./run_schema.ts";

/** The type of a fault, and its message. */
export type Words = Pick<Fault, "type" | "msg">;

export const MISSING: Words = { type: "missing", msg: "Field required" };

export function describeFault(issue: Issue): Words {
  switch (issue.code) {
    case "invalid_type":
      return typeWords(issue);
    case "invalid_value":
      return literalWords(issue.values);
    case "too_small":
    case "too_big":
      return boundWords(issue as BoundIssue);
    case "not_multiple_of":
      return { type: "multiple_of", msg: `Input should be a multiple of ${issue.divisor}` };
    default:
      return { type: "value_error", msg: z.core.util.finalizeIssue(issue, {}, z.config()).message };
  }
}

/** `Input should be 'left', 'middle' or 'right'` */
export function literalWords(values: readonly unknown[]): Words {
  return { type: "literal_error", msg: `Input should be ${alternatives(values)}` };
}

/** `Input should have exactly one of the fields 'file' or 'process'` */
export function oneFieldWords(names: readonly string[]): Words {
  const msg = `Input should have exactly one of the fields ${alternatives(names)}`;
  return { type: "value_error", msg };
}

function alternatives(values: readonly unknown[]): string | undefined {
  const words = values.map((value) => typeof value === "string" ? `'${value}'` : String(value));
  const last = words.pop();
  return words.length === 0 ? last : `${words.join(", ")} or ${last}`;
}

/** Whether a schema is `z.int()` or `z.number().int()`. */
export function isInteger(schema: unknown): boolean {
  return schema instanceof z.ZodNumber && (schema.format?.includes("int") ?? false);
}

const TYPE_WORDS: Readonly<Record<string, Words>> = {
  int: { type: "int_type", msg: "Input should be a valid integer" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  string: { type: "string_type", msg: "Input should be a valid string" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  tuple: { type: "list_type", msg: "Input should be a valid list" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
  record: { type: "dict_type", msg: "Input should be a valid dictionary" },
  null: { type: "none_required", msg: "Input should be None" },
};

function typeWords(issue: Issue & { code: "invalid_type" }): Words {
  if (typeof issue.input === "number" && !Number.isFinite(issue.input)) {
    return { type: "finite_number", msg: "Input should be a finite number" };
  }
  if (issue.expected === "int") {
    return {
      type: "int_from_float",
      msg: "Input should be a valid integer, got a number with a fractional part",
    };
  }
  const kind = issue.expected === "number" && isInteger(issue.inst) ? "int" : issue.expected;
  return TYPE_WORDS[kind] ??
    { type: "value_error", msg: "Input has a type that is not possible here" };
}

// Messages for values of the right type that are out of bounds.

type BoundIssue = Issue & { code: "too_small" | "too_big" };

/** Describes what is wrong with a number, text or list that is too small or too large. */
function boundWords(issue: BoundIssue): Words {
  switch (issue.origin) {
    case "string":
      return lengthWords(issue);
    case "array":
    case "set":
      return countWords(issue, "List");
    case "object":
    case "map":
      return countWords(issue, "Dictionary");
    default:
      return numberWords(issue);
  }
}

function numberWords(issue: BoundIssue): Words {
  if (issue.origin === "int" && issue.note !== undefined) {
    const bound = Number.MAX_SAFE_INTEGER;
    return {
      type: "int_parsing_size",
      msg: `Input should be an integer between -${bound} and ${bound}`,
    };
  }
  const [type, relation] = issue.code === "too_small"
    ? ["greater_than", "greater"]
    : ["less_than", "less"];
  const bound = readBound(issue);
  return issue.inclusive === false
    ? { type, msg: `Input should be ${relation} than ${bound}` }
    : { type: `${type}_equal`, msg: `Input should be ${relation} than or equal to ${bound}` };
}

function lengthWords(issue: BoundIssue): Words {
  const bound = readBound(issue);
  return issue.code === "too_small"
    ? { type: "string_too_short", msg: `String should have at least ${count(bound, "character")}` }
    : { type: "string_too_long", msg: `String should have at most ${count(bound, "character")}` };
}

function countWords(issue: BoundIssue, what: "List" | "Dictionary"): Words {
  const bound = readBound(issue);
  const [type, most] = issue.code === "too_small" ? ["too_short", "least"] : ["too_long", "most"];
  const after = `after validation, not ${countItems(issue.input)}`;
  return { type, msg: `${what} should have at ${most} ${count(bound, "item")} ${after}` };
}

function readBound(issue: BoundIssue): number {
  return Number(issue.code === "too_small" ? issue.minimum : issue.maximum);
}

function countItems(input: unknown): number {
  return Array.isArray(input) ? input.length : Object.keys(input as object).length;
}

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}
