/** Turns what zod finds into faults in pydantic's words, which the clients know; the input itself is never quoted. */

import { z } from "zod";
import type { Fault } from "../core/errors.ts";
import { boundFault } from "./bound_faults.ts";
import { unionFaults } from "./union_faults.ts";

export type Loc = readonly (string | number)[];
export type Issue = z.core.$ZodRawIssue;
export type Words = Pick<Fault, "type" | "msg">;

/** A body can hold millions of wrong items; nobody reads more faults than this. */
export const MAX_FAULTS = 1_000;

const SYNC = { async: false } as const;

/** Runs a schema and gives the raw outcome: only raw issues still tell the input and the schema they are about. */
export function runSchema(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, SYNC);
  if (result instanceof Promise) {
    throw new TypeError("A schema of an operation must be synchronous");
  }
  return result;
}

/** The faults of all issues in the order of the fields, one for each place. */
export function faultsOf(issues: readonly Issue[], at: Loc): Fault[] {
  return onePerPlace(issues.slice(0, MAX_FAULTS).flatMap((issue) => faultsOfIssue(issue, at)));
}

function faultsOfIssue(issue: Issue, at: Loc): Fault[] {
  const loc = [...at, ...(issue.path ?? []) as (string | number)[]];
  if (isMissing(issue)) return [{ loc, msg: "Field required", type: "missing" }];
  if (issue.code === "invalid_union") return unionFaults(issue, loc);
  if (issue.code === "invalid_key") return keyFaults(issue, loc);
  return [{ loc, ...wordsOf(issue) }];
}

/** zod does not tell "missing" from "wrong type"; JSON cannot say `undefined`, so that is it. */
function isMissing(issue: Issue): boolean {
  return issue.input === undefined &&
    (issue.code === "invalid_type" || issue.code === "invalid_value" ||
      issue.code === "invalid_union");
}

function keyFaults(issue: Issue, loc: Loc): Fault[] {
  const { keyType } = (issue.inst as z.core.$ZodRecord)._zod.def;
  return faultsOf(runSchema(keyType, issue.input).issues, loc);
}

function wordsOf(issue: Issue): Words {
  switch (issue.code) {
    case "invalid_type":
      return typeWords(issue);
    case "invalid_value":
      return literalWords(issue.values);
    case "too_small":
    case "too_big":
      return boundFault(issue);
    case "not_multiple_of":
      return { type: "multiple_of", msg: `Input should be a multiple of ${issue.divisor}` };
    default:
      return { type: "value_error", msg: z.core.util.finalizeIssue(issue, {}, z.config()).message };
  }
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

/** Whether a number schema is `z.int()` or `z.number().int()`. */
export function isInteger(schema: unknown): boolean {
  const def = (schema as z.core.$ZodNumber)._zod.def as {
    format?: string;
    checks?: readonly { _zod: { def: { format?: string } } }[];
  };
  if (def.format?.includes("int")) return true;
  return def.checks?.some((check) => check._zod.def.format?.includes("int")) ?? false;
}

/** `Input should be 'left', 'middle' or 'right'` */
export function literalWords(values: readonly unknown[]): Words {
  const words = values.map((value) => typeof value === "string" ? `'${value}'` : String(value));
  const last = words.pop();
  const list = words.length === 0 ? last : `${words.join(", ")} or ${last}`;
  return { type: "literal_error", msg: `Input should be ${list}` };
}

/** The first fault of each place; zod reports types before bounds. */
function onePerPlace(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const place = JSON.stringify(fault.loc);
    return !seen.has(place) && seen.add(place);
  });
}
