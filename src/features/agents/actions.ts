/**
 * The actions that models ask for by name: tables of them, the strict check of their fields, and
 * what a model reads of those that fail.
 */

import type { z } from "zod";
import { FieldError, InputError, ServiceError, type ValidationError } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { nameValue } from "../../core/texts.ts";
import type { Calls, Context } from "../context.ts";
import { checkObject, isObject } from "../call/check_fields.ts";
import { findUnknownFields, foreignFieldError } from "../call/unknown_fields.ts";

/** An entry of a table; `D` is what the actions act on, `R` what they give. */
interface Action<D, R> {
  readonly fields: z.ZodObject;
  // deno-lint-ignore no-explicit-any -- the fields are typed by actionOn
  run(target: D, input: any): R | Promise<R>;
}

export type ActionTable<D, R = void> = Readonly<Record<string, Action<D, R>>>;

/** An action whose fields are checked. */
interface ReadyAction<D, R> {
  readonly name: string;
  run(target: D): R | Promise<R>;
}

const MAX_NAME = 100;

/** Gives the function that makes entries; checks at compile time that `run` takes the fields. */
export function actionOn<D, R = void>() {
  return <S extends z.ZodObject>(
    fields: S,
    run: (target: D, input: z.output<S>) => R | Promise<R>,
  ): Action<D, R> => ({ fields, run });
}

/**
 * Finds an action and checks its fields strictly; nothing runs.
 * @param describeUnknown what the model reads when the table has no such name
 * @throws ServiceError `invalid` with what the model can do instead
 */
export function readAction<D, R>(
  table: ActionTable<D, R>,
  { name, fields }: { readonly name: unknown; readonly fields: unknown },
  describeUnknown = noSuchAction,
): ReadyAction<D, R> {
  if (typeof name !== "string" || !Object.hasOwn(table, name)) {
    const given = JSON.stringify(nameValue(name).slice(0, MAX_NAME).toWellFormed());
    throw new ServiceError("invalid", describeUnknown(given, Object.keys(table)));
  }
  const action = table[name]!;
  const read = readFields(action.fields, fields, `"${name}"`);
  return { name, run: (target) => action.run(target, read) };
}

function noSuchAction(name: string, known: readonly string[]): string {
  return `There is no action ${name}; there are ${known.map((each) => `"${each}"`).join(", ")}`;
}

// Checks what a model gave for an action, as strictly as our own operations are checked.

/** Where the fields of an action are, for an operation that performs it. */
const AT = ["body"];
const MAX_UNKNOWN = 10;

/**
 * The fields with defaults filled in. `null` means that a field is left out.
 * @throws InputError with every error, also of fields that `schema` does not know (unless it is a
 * loose object), named as `whose`
 */
export function readFields<S extends z.ZodObject>(
  schema: S,
  input: unknown,
  whose: string,
): z.output<S> {
  const given = isObject(input) ? withoutNulls(input) : input;
  const errors: ValidationError[] = [];
  if (isObject(given) && schema.def.catchall === undefined) {
    const unknown = findUnknownFields(schema, given, MAX_UNKNOWN);
    errors.push(...unknown.map((field) => foreignFieldError(field, AT, { whose })));
  }
  const fields = checkObject(schema, given, AT, errors);
  if (errors.length > 0) throw new InputError(errors);
  return fields as z.output<S>;
}

function withoutNulls(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

// Performs actions by our operations.

export interface Caller extends Pick<Context, "actor" | "requestId" | "signal"> {
  readonly calls: Pick<Calls, "prepare">;
  /** Throws what speaks against an operation that is about to run. */
  check?(): Promise<void>;
}

/** Calls one of our operations on no display; gives its JSON. */
export async function callOperation(
  caller: Caller,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { actor, calls, requestId, signal } = caller;
  const prepared = calls.prepare(name, input, { at: AT });
  await caller.check?.();
  const result = await prepared.run({ actor, requestId, signal });
  return result.kind === "json" ? result.value : undefined;
}

// Says in words what went wrong, so that a model can do better.

/** The fields of our operations, each with the vendor's name of it. */
export type FieldNames = Readonly<Record<string, string>>;

/** Names the fields in the errors of the operation that `work` calls as the vendor does. */
export async function namingFields<T>(names: FieldNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const errors = error.errors.map((each) => {
      const [, field, ...rest] = each.loc;
      const name = names[String(field)];
      const path = name !== undefined ? [name] : field === undefined ? [] : [field, ...rest];
      return { ...each, loc: [...AT, ...path] };
    });
    throw new InputError(errors, { cause: error });
  }
}

/** Longest text about a failure; a model needs no more. */
const MAX_LENGTH = 4_096;

/**
 * The text of anything that was thrown; an unexpected error goes to the log, and its text says only
 * that.
 */
export function failureText(error: unknown): string {
  return describe(error).toWellFormed().slice(0, MAX_LENGTH);
}

function describe(error: unknown): string {
  if (error instanceof InputError) {
    return error.errors.map(({ loc, msg }) => describeError(loc.slice(1), msg)).join("; ");
  }
  if (error instanceof FieldError) return describeError([error.field].flat(), error.message);
  if (error instanceof ServiceError && error.code !== "internal") return error.message;
  log.error("a model's action failed", {
    error: error instanceof Error ? error.stack ?? error.message : `thrown: ${typeof error}`,
  });
  return "Internal error: see the log of the service";
}

/** `scroll_amount: Input should be less than or equal to 1000` */
function describeError(path: ValidationError["loc"], msg: string): string {
  return path.length === 0 ? msg : `${path.join(".")}: ${msg}`;
}
