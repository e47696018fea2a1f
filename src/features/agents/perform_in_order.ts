/** Performs the actions of a turn one after the other, each with a result; none is left out. */

import type { z } from "zod";
import { FieldError, InputError, ServiceError, type ValidationError } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { checkObject, isObject } from "../call/check_fields.ts";
import { findUnknownFields, foreignFieldError } from "../call/unknown_fields.ts";

/** How a vendor's actions are performed, and how their results look. */
interface ActionRules<A, R> {
  /** Performs one action; what it throws is its failure. */
  perform(action: A): R | Promise<R>;
  /** The result of an action that failed, with a text that the model can act on. */
  failed(action: A, text: string): R;
  /** The result of an action that was not run because an earlier one of its chain has failed. */
  notRun(action: A): R;
  /** Actions of one chain depend on each other; by default all do. `undefined` depends on none. */
  chainOf?(action: A): string | undefined;
  /** The vendor's names of our operations' fields, for the text of a failure. */
  readonly fieldNames?: FieldNames;
}

/**
 * The results, in the order of the actions.
 * @throws the reason of `signal` when it aborts, and nothing else
 */
export async function performInOrder<A, R>(
  actions: readonly A[],
  signal: AbortSignal,
  rules: ActionRules<A, R>,
): Promise<R[]> {
  const failedChains = new Set<string>();
  const results: R[] = [];
  for (const action of actions) {
    signal.throwIfAborted();
    const chain = rules.chainOf ? rules.chainOf(action) : "all";
    if (chain !== undefined && failedChains.has(chain)) {
      results.push(rules.notRun(action));
      continue;
    }
    try {
      results.push(await rules.perform(action));
    } catch (error) {
      signal.throwIfAborted();
      if (chain !== undefined) failedChains.add(chain);
      results.push(rules.failed(action, failureText(error, rules.fieldNames)));
    }
  }
  return results;
}

// Says in words what went wrong, so that a model can do better.

/** The fields of our operations, each with the vendor's name of it. */
export type FieldNames = Readonly<Record<string, string>>;

/** Longest text about a failure; a model needs no more. */
const MAX_LENGTH = 4_096;

/**
 * The text of anything that was thrown. Faults of our operations' fields are told by the vendor's
 * names; an unexpected error goes to the log, and its text says only that.
 */
export function failureText(error: unknown, names: FieldNames = {}): string {
  return describe(error, names).toWellFormed().slice(0, MAX_LENGTH);
}

function describe(error: unknown, names: FieldNames): string {
  if (error instanceof InputError) {
    return error.faults.map((fault) => describeValidationError(fault, names)).join("; ");
  }
  if (error instanceof FieldError) {
    const path = [error.field].flat();
    return describeValidationError(
      { loc: ["action", ...path], msg: error.message, type: "" },
      names,
    );
  }
  if (error instanceof ServiceError && error.code !== "internal") return error.message;
  log.error("a model's action failed", {
    error: error instanceof Error ? error.stack ?? error.message : `thrown: ${typeof error}`,
  });
  return "Internal error: see the log of the service";
}

/** `scroll_amount: Input should be less than or equal to 1000` */
function describeValidationError({ loc, msg }: ValidationError, names: FieldNames): string {
  const [place, field, ...rest] = loc;
  if (field === undefined) return msg;
  const name = place === "input" ? names[String(field)] : undefined;
  const path = name === undefined ? [field, ...rest] : [name];
  return `${path.join(".")}: ${msg}`;
}

// An action that models ask for by name, as an entry of a vendor's table.

/** `D` is what the vendor's actions act on. */
interface Action<D> {
  readonly fields: z.ZodObject;
  // deno-lint-ignore no-explicit-any -- the fields are typed by actionOn
  run(target: D, input: any): Promise<void>;
}

export type ActionTable<D> = Readonly<Record<string, Action<D>>>;

/** An action whose fields are checked. */
interface ReadyAction<D> {
  readonly name: string;
  run(target: D): Promise<void>;
}

const MAX_NAME = 100;

/** Gives the function that makes entries; checks at compile time that `run` takes the fields. */
export function actionOn<D>() {
  return <S extends z.ZodObject>(
    fields: S,
    run: (target: D, input: z.output<S>) => Promise<void>,
  ): Action<D> => ({ fields, run });
}

/**
 * Finds an action and checks its fields strictly; nothing runs.
 * @throws ServiceError `invalid` with what the model can do instead
 */
export function readAction<D>(
  table: ActionTable<D>,
  name: unknown,
  input: unknown,
): ReadyAction<D> {
  if (typeof name !== "string" || !Object.hasOwn(table, name)) {
    const shown = JSON.stringify(String(name).slice(0, MAX_NAME).toWellFormed());
    const names = Object.keys(table).map((each) => `"${each}"`).join(", ");
    throw new ServiceError("invalid", `There is no action ${shown}; there are ${names}`);
  }
  const action = table[name]!;
  const fields = readNamed(action.fields, input, name);
  return { name, run: (target) => action.run(target, fields) };
}

/** Faults have the vendor's own names of fields already. */
function readNamed(fields: z.ZodObject, input: unknown, name: string): unknown {
  try {
    return readFields(fields, input, `"${name}"`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ServiceError("invalid", failureText(error), { cause: error });
  }
}

// Checks what a model gave for an action, as strictly as our own operations are checked.

/** Not `input`, which is where the fields of our operations are. */
const AT = ["action"];
const MAX_UNKNOWN = 10;

/**
 * The fields with defaults filled in. `null` means that a field is left out.
 * @throws InputError with every fault, also of fields that `schema` does not know (unless it is a
 * loose object), named as `whose`
 */
export function readFields<S extends z.ZodObject>(
  schema: S,
  input: unknown,
  whose: string,
): z.output<S> {
  const given = isObject(input) ? withoutNulls(input) : input;
  const faults: ValidationError[] = [];
  if (isObject(given) && schema.def.catchall === undefined) {
    const unknown = findUnknownFields(schema, given, MAX_UNKNOWN);
    faults.push(...unknown.map((field) => foreignFieldError(field, AT, { whose })));
  }
  const fields = checkObject({ schema, hasNames: false }, given, AT, faults);
  if (faults.length > 0) throw new InputError(faults);
  return fields as z.output<S>;
}

function withoutNulls(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
