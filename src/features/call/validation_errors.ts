/** Turns zod's issues into the errors of a 422 answer; never quotes the input. */

import { z } from "zod";
import type { ValidationError } from "../../core/errors.ts";

/** The location of an error: `body`, `query` or `path`, then the field, then indexes. */
export type Loc = ValidationError["loc"];

/** Most errors to report: a body can contain millions of wrong items. */
export const MAX_VALIDATION_ERRORS = 1_000;

/** The errors of all issues in field order, one per location. */
export function toValidationErrors(issues: readonly Issue[], at: Loc): ValidationError[] {
  return onePerLocation(
    issues.slice(0, MAX_VALIDATION_ERRORS).flatMap((issue) => describeIssue(issue, at)),
  );
}

function describeIssue(issue: Issue, at: Loc): ValidationError[] {
  const loc = [...at, ...(issue.path ?? []) as (string | number)[]];
  if (isMissing(issue)) return [{ loc, ...MISSING }];
  if (issue.code === "invalid_union") return describeUnion(issue, loc);
  if (issue.code === "invalid_key") {
    const { keyType } = issue.inst as z.ZodRecord;
    return toValidationErrors(runSchema(keyType, issue.input).issues, loc);
  }
  return [{ loc, ...describeValidationIssue(issue) }];
}

/**
 * zod does not distinguish "missing" from "wrong type"; JSON has no `undefined`, so that value
 * means missing.
 */
function isMissing(issue: Issue): boolean {
  return issue.input === undefined &&
    (issue.code === "invalid_type" || issue.code === "invalid_value" ||
      issue.code === "invalid_union");
}

function describeUnion(issue: UnionIssue, loc: Loc): ValidationError[] {
  if (issue.discriminator !== undefined) {
    return [{ loc, ...describeDiscriminator(issue, String(loc.at(-1))) }];
  }
  const choice = describeChoice(issue);
  return choice === undefined ? toValidationErrors(selectBranch(issue), loc) : [{ loc, ...choice }];
}

/** The first error at each location; zod reports types before bounds. */
function onePerLocation(errors: readonly ValidationError[]): ValidationError[] {
  const seen = new Set<string>();
  return errors.filter((each) => {
    const location = JSON.stringify(each.loc);
    return !seen.has(location) && seen.add(location);
  });
}

// Runs a schema and returns zod's raw issues; the only file that uses unpublished parts of zod.
// `safeParse` formats a message for every issue, millions of them for a hostile body, and drops the
// schema and the input that an issue refers to.

/** An issue of zod before it has a message. */
type Issue = z.core.$ZodRawIssue;

const SYNC = { async: false } as const;

/** The value with defaults filled in, and every issue. */
export function runSchema(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, SYNC);
  if (result instanceof Promise) {
    throw new TypeError("A schema of an operation must be synchronous");
  }
  return result;
}

// Selects the branch of a union for error messages when no branch matches, by the JSON type or the
// discriminating field.

type UnionIssue = Issue & {
  readonly code: "invalid_union";
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
};

function selectBranch(issue: UnionIssue): readonly Issue[] {
  const branches = (issue.inst as z.ZodUnion).options
    .map((option) => runSchema(option, issue.input).issues as Issue[]);
  const { input } = issue;
  return branches.reduce((best, next) => misfit(next, input) < misfit(best, input) ? next : best);
}

/** Describes what is wrong with the field that distinguishes the branches. */
function describeDiscriminator({ input, options }: UnionIssue, field: string): Words {
  const value = (input as Record<string, unknown>)[field];
  return value === undefined ? MISSING : literalWords(options ?? []);
}

/**
 * Describes an object that has none of the fields of which a union wants one, or several; `undefined`
 * for every other union and value.
 */
function describeChoice({ inst, input }: UnionIssue): Words | undefined {
  const choice = choiceOf(inst as z.ZodUnion);
  if (choice === undefined || typeof input !== "object" || input === null) return undefined;
  if (Array.isArray(input) || countGiven(choice, input) === 1) return undefined;
  return oneFieldWords(choice);
}

/**
 * The fields of which a union wants exactly one: where it has several objects, each with one
 * required field of its own.
 */
export function choiceOf({ options }: z.ZodUnion): readonly string[] | undefined {
  const required = options.filter((option) => option instanceof z.ZodObject).map(requiredFields);
  if (required.some((fields) => fields.length !== 1)) return undefined;
  const names = new Set(required.flat());
  return names.size < 2 || names.size !== required.length ? undefined : [...names];
}

/** How many of these fields an object has. */
export function countGiven(names: readonly string[], value: object): number {
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

function requiredFields({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => runSchema(shape[name]!, undefined).issues.length > 0);
}

/**
 * How unlikely it is that this branch was intended: a wrong type of the whole value weighs most,
 * then a field of it that is missing, then a wrong literal, then the number of issues.
 */
function misfit(issues: readonly Issue[], input: unknown): number {
  return issues.reduce((sum, issue) => sum + weight(issue, input), 0);
}

function weight(issue: Issue, input: unknown): number {
  const path = issue.path ?? [];
  const isNoWord = issue.code === "invalid_value" && typeof input === "object";
  if (path.length === 0 && (issue.code === "invalid_type" || isNoWord)) return 1e9;
  const isMissing = path.length === 1 && !hasField(input, path[0]!);
  if (isMissing && /^invalid_(?:type|union)$/.test(issue.code)) return 1e7;
  return issue.code === "invalid_value" ? 1e5 : 1;
}

function hasField(input: unknown, name: PropertyKey): boolean {
  return typeof input === "object" && input !== null && Object.hasOwn(input, name);
}

// Words the error of one value as pydantic does, which clients know.

type Words = Pick<ValidationError, "type" | "msg">;

const MISSING: Words = { type: "missing", msg: "Field required" };

function describeValidationIssue(issue: Issue): Words {
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
function literalWords(values: readonly unknown[]): Words {
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
