/** Finds fields that a schema does not know, also in nested objects. */

import { z } from "zod";
import type { Fault } from "../../core/errors.ts";
import { editDistance } from "../../platform/keys.ts";
import type { Operation } from "../operation.ts";
import type { Loc } from "./faults/faults.ts";
import { runSchema } from "./faults/run_schema.ts";
import { choiceOf, countGiven } from "./faults/unions.ts";
import { oneFieldWords } from "./faults/words.ts";

/** A field that the schema does not know. */
export interface UnknownField {
  /** The keys from the checked object down. */
  readonly path: Loc;
  /** The names that are known in its place. */
  readonly known: readonly string[];
}

/** Several fields of an object of which the schema wants exactly one, so that none can be ignored. */
export interface Contradiction {
  /** The keys from the checked object down to the object that has them. */
  readonly path: Loc;
  readonly choice: readonly string[];
}

export type ForeignField = UnknownField | Contradiction;

const SHOWN_NAME_LENGTH = 64;

/** The unknown and contradictory fields of an object that the schema accepts, at most `max`. */
export function findUnknownFields(
  schema: z.ZodObject,
  fields: object,
  max: number,
): readonly ForeignField[] {
  const { shape } = schema;
  let found: ForeignField[] | undefined;
  for (const name in fields) {
    const value: unknown = fields[name as keyof typeof fields];
    if (Object.hasOwn(shape, name) && (typeof value !== "object" || value === null)) continue;
    found ??= [];
    lookAtField(shape, { name, value, path: [], found, max });
    if (found.length >= max) break;
  }
  return found ?? NONE;
}

const NONE: readonly ForeignField[] = [];

/** Whether fields contradict each other, so that they are never ignored. */
export function isContradiction(field: ForeignField): field is Contradiction {
  return "choice" in field;
}

/** The fault of unknown or contradictory fields of an operation: says what would be right. */
export function unknownFieldFault(field: ForeignField, at: Loc, operation: Operation): Fault {
  const { id, hints = {} } = operation;
  const [name] = field.path;
  const isHinted = field.path.length === 1 && Object.hasOwn(hints, name!);
  return foreignFieldFault(field, at, {
    whose: `"${id}"`,
    ...(isHinted && { hint: hints[name!]! }),
  });
}

/**
 * The fault of unknown or contradictory fields.
 * @param whose has the fields, as the message names it
 * @param hint is given instead of the nearest known name
 */
export function foreignFieldFault(
  field: ForeignField,
  at: Loc,
  { whose, hint }: { readonly whose: string; readonly hint?: string },
): Fault {
  const { path } = field;
  if (isContradiction(field)) return { loc: [...at, ...path], ...oneFieldWords(field.choice) };
  const { known } = field;
  const names = known.map((name) => `"${name}"`).join(", ");
  const none = at[0] === "query" ? "takes none in the query" : "takes no fields";
  const takes = known.length === 0 ? none : `takes ${names}`;
  const place = path.length === 1 ? whose : `"${path.slice(0, -1).join(".")}" of ${whose}`;
  const better = hint ?? nearestField(String(path.at(-1)), known);
  return {
    loc: [...at, ...path],
    msg: `Unknown field: ${better === undefined ? "" : `${better} `}${place} ${takes}`,
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

interface Search {
  readonly path: Loc;
  readonly found: ForeignField[];
  readonly max: number;
}

interface FieldSearch extends Search {
  readonly name: string;
  readonly value: unknown;
}

function lookAtField(
  shape: z.ZodObject["shape"],
  { name, value, path, found, max }: FieldSearch,
): void {
  const at = [...path, shownName(name)];
  if (Object.hasOwn(shape, name)) search(shape[name], value, { path: at, found, max });
  else found.push({ path: at, known: Object.keys(shape) });
}

function search(schema: unknown, value: unknown, { path, found, max }: Search): void {
  if (typeof value !== "object" || value === null || found.length >= max) return;
  if (isWrapper(schema)) return search(schema.unwrap(), value, { path, found, max });
  if (schema instanceof z.ZodUnion) {
    found.push(...inBestOption(schema, value, { path, found, max }));
  } else if (schema instanceof z.ZodObject) {
    if (schema.def.catchall !== undefined) return;
    for (const [name, child] of Object.entries(value)) {
      lookAtField(schema.shape, { name, value: child, path, found, max });
      if (found.length >= max) return;
    }
  } else searchItems(schema, value, { path, found, max });
}

function searchItems(schema: unknown, value: object, { path, found, max }: Search): void {
  const itemSchema = schema instanceof z.ZodArray
    ? schema.element
    : schema instanceof z.ZodRecord
    ? schema.valueType
    : undefined;
  if (itemSchema === undefined || !mayHoldObjects(itemSchema)) return;
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : shownName(key)];
    search(itemSchema, item, { path: at, found, max });
    if (found.length >= max) return;
  }
}

/** Of all options that accept the value, the one that knows most of its fields. */
function inBestOption(
  union: z.ZodUnion,
  value: object,
  { path, found, max }: Search,
): readonly ForeignField[] {
  const choice = choiceOf(union);
  if (choice !== undefined && countGiven(choice, value) > 1) return [{ path, choice }];
  let best: readonly ForeignField[] | undefined;
  for (const option of union.options) {
    if (runSchema(option, value).issues.length > 0) continue;
    const own: ForeignField[] = [];
    search(option, value, { path, found: own, max: max - found.length });
    if (best === undefined || own.length < best.length) best = own;
  }
  return best ?? NONE;
}

type Wrapper = z.ZodOptional | z.ZodDefault | z.ZodNullable;

function isWrapper(schema: unknown): schema is Wrapper {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable;
}

/** Saves the look at every item of a long list of numbers or texts. */
function mayHoldObjects(schema: unknown): boolean {
  return !(schema instanceof z.ZodNumber || schema instanceof z.ZodString ||
    schema instanceof z.ZodBoolean || schema instanceof z.ZodEnum);
}

function shownName(name: string): string {
  return name.slice(0, SHOWN_NAME_LENGTH).toWellFormed();
}
