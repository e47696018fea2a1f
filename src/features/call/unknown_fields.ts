/** Finds fields that a schema does not know, also in nested objects. */

import { z } from "zod";
import { ServiceError, type ValidationError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { editDistance, tryParseJson } from "../../core/texts.ts";
import type { Operation } from "../operation.ts";
import { choiceOf, countGiven, type Loc, oneFieldWords, runSchema } from "./validation_errors.ts";

interface UnknownField {
  /** The keys from the checked object down. */
  readonly path: Loc;
  /** The names that are known there. */
  readonly known: readonly string[];
}

/** Several fields of an object of which the schema wants exactly one, so that none can be ignored. */
interface Contradiction {
  /** The keys from the checked object down to the object that has them. */
  readonly path: Loc;
  readonly choice: readonly string[];
}

export type ForeignField = UnknownField | Contradiction;

const SHOWN_NAME_LENGTH = 64;

/** The unknown and contradictory fields of an object that the schema accepts, at most `max`. */
export function findUnknownFields(
  { shape }: z.ZodObject,
  fields: object,
  max: number,
): readonly ForeignField[] {
  for (const name in fields) {
    const value: unknown = fields[name as keyof typeof fields];
    if (Object.hasOwn(shape, name) && (typeof value !== "object" || value === null)) continue;
    return unknownInObject(shape, fields, []).take(max).toArray();
  }
  return NONE;
}

const NONE: readonly ForeignField[] = [];

/** Whether fields contradict each other, so that they are never ignored. */
export function isContradiction(field: ForeignField): field is Contradiction {
  return "choice" in field;
}

/** The error of unknown or contradictory fields of an operation: says what would be right. */
export function unknownFieldError(
  field: ForeignField,
  at: Loc,
  operation: Operation,
): ValidationError {
  const { id, hints = {} } = operation;
  const [name] = field.path;
  const isHinted = field.path.length === 1 && Object.hasOwn(hints, name!);
  return foreignFieldError(field, at, {
    whose: `"${id}"`,
    ...(isHinted && { hint: hints[name!]! }),
  });
}

/**
 * The error of unknown or contradictory fields.
 * @param whose has the fields, as the message names it
 * @param hint is given instead of the nearest known name
 */
export function foreignFieldError(
  field: ForeignField,
  at: Loc,
  { whose, hint }: { readonly whose: string; readonly hint?: string },
): ValidationError {
  const { path } = field;
  if (isContradiction(field)) return { loc: [...at, ...path], ...oneFieldWords(field.choice) };
  const { known } = field;
  const names = known.map((name) => `"${name}"`).join(", ");
  const none = at[0] === "query" ? "takes none in the query" : "takes no fields";
  const takes = known.length === 0 ? none : `takes ${names}`;
  const owner = path.length === 1 ? whose : `"${path.slice(0, -1).join(".")}" of ${whose}`;
  const better = hint ?? nearestField(String(path.at(-1)), known);
  return {
    loc: [...at, ...path],
    msg: `Unknown field: ${better === undefined ? "" : `${better} `}${owner} ${takes}`,
    type: "extra_forbidden",
  };
}

/** A question with the known name that may be meant: `clickCount` or `clickcount` is near. */
function nearestField(name: string, known: readonly string[]): string | undefined {
  const wanted = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").replaceAll("-", "_").toLowerCase();
  const [nearest] = known
    .map((each) => ({ each, distance: fieldDistance(wanted, each) }))
    .filter(({ distance }) => distance <= wanted.length / 3)
    .sort((a, b) => a.distance - b.distance);
  return nearest && `did you mean "${nearest.each}"?`;
}

/** A name with one word more or less is nearly the same: `timeout` for `timeout_ms`. */
function fieldDistance(wanted: string, known: string): number {
  const isPart = known.startsWith(`${wanted}_`) || wanted.startsWith(`${known}_`) ||
    known.endsWith(`_${wanted}`) || wanted.endsWith(`_${known}`);
  return isPart ? 1 : editDistance(wanted, known);
}

function* unknownInObject(
  shape: z.ZodObject["shape"],
  fields: object,
  path: Loc,
): Generator<ForeignField> {
  for (const [name, value] of Object.entries(fields)) {
    const at = [...path, printableName(name)];
    if (Object.hasOwn(shape, name)) yield* unknownIn(shape[name], value, at);
    else yield { path: at, known: Object.keys(shape) };
  }
}

function* unknownIn(schema: unknown, value: unknown, path: Loc): Generator<ForeignField> {
  if (typeof value !== "object" || value === null) return;
  if (isWrapper(schema)) yield* unknownIn(schema.unwrap(), value, path);
  else if (schema instanceof z.ZodUnion) yield* unknownInUnion(schema, value, path);
  else if (schema instanceof z.ZodArray) yield* unknownInItems(schema.element, value, path);
  else if (schema instanceof z.ZodRecord) yield* unknownInItems(schema.valueType, value, path);
  else if (schema instanceof z.ZodObject && schema.def.catchall === undefined) {
    yield* unknownInObject(schema.shape, value, path);
  }
}

function* unknownInItems(schema: unknown, value: object, path: Loc): Generator<ForeignField> {
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : printableName(key)];
    yield* unknownIn(schema, item, at);
  }
}

/** Of all options that accept the value, the one that knows most of its fields. */
function unknownInUnion(union: z.ZodUnion, value: object, path: Loc): readonly ForeignField[] {
  const choice = choiceOf(union);
  if (choice !== undefined && countGiven(choice, value) > 1) return [{ path, choice }];
  let best: readonly ForeignField[] | undefined;
  for (const option of union.options) {
    if (runSchema(option, value).issues.length > 0) continue;
    const own = unknownIn(option, value, path).toArray();
    if (best === undefined || own.length < best.length) best = own;
  }
  return best ?? NONE;
}

type Wrapper = z.ZodOptional | z.ZodDefault | z.ZodNullable;

/** Whether a schema adds to another one only what happens to a missing value or `null`. */
export function isWrapper(schema: unknown): schema is Wrapper {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable;
}

function printableName(name: string): string {
  return name.slice(0, SHOWN_NAME_LENGTH).toWellFormed();
}

/**
 * Logs an error that a handler threw without its operation declaring it; that log line makes tests
 * fail.
 */
export function reportUndeclared(
  operation: Operation,
  error: unknown,
  log: Pick<Log, "error">,
): void {
  if (!(error instanceof ServiceError)) return;
  if (error.code === "internal" || error.code === "locked") return; // any operation can be locked
  const { body, query, params, errors = {} } = operation;
  const isDeclared = error.code === "invalid"
    ? (body ?? query ?? params) !== undefined // fields can be wrong
    : error.code in errors;
  if (isDeclared) return;
  log.error("undeclared error", { operation: operation.id, code: error.code });
}

// Understands values as models write them: numbers, booleans, lists and objects as text.

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Longer texts are no JSON that a model means, and take long to parse. */
const MAX_JSON = 64 * 1024;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([["true", true], ["false", false]]);

/**
 * The value that the schema takes, where the text of one was given; any other value as it is. What
 * the schema takes already is never changed.
 */
export function asMeant(schema: z.core.$ZodType, value: unknown): unknown {
  if (isTaken(schema, value)) return value;
  if (typeof value === "string") return fromText(schema, value);
  return typeof value === "object" && value !== null ? insideMeant(schema, value) : value;
}

function isTaken(schema: z.core.$ZodType, value: unknown): boolean {
  return runSchema(schema, value).issues.length === 0;
}

function fromText(schema: z.core.$ZodType, text: string): unknown {
  for (const read of [readNumber, readBoolean, readJson]) {
    const value = read(text.trim());
    if (value === undefined) continue;
    const meant = typeof value === "object" ? asMeant(schema, value) : value;
    if (isTaken(schema, meant)) return meant;
  }
  return text;
}

function readNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}

/** A list, an object or `null`. */
function readJson(text: string): unknown {
  if (text.length > MAX_JSON || !/^(?:[[{]|null$)/.test(text)) return undefined;
  return tryParseJson(text);
}

/** The same for what a list or an object holds. */
function insideMeant(schema: z.core.$ZodType, value: object): unknown {
  if (isWrapper(schema)) return insideMeant(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion) {
    const meant = schema.options.map((option) => insideMeant(option, value));
    return meant.find((option) => isTaken(schema, option)) ?? value;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => asMeant(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const own = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return [name, own === undefined ? field : asMeant(own, field)];
  });
  return Object.fromEntries(fields);
}
