/** Lets a tool call the operations that it is made of. */

import { InputError, STATUS } from "../core/errors.ts";
import type { CallResult, Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
import type { DeclaredErrors } from "../features/outcomes.ts";

/** A tool fails as the operations inside it do, which declare their errors themselves. */
export const INSIDE_ERRORS: DeclaredErrors = Object.fromEntries(
  Object.keys(STATUS).map((code) => [code, "An operation inside the tool failed so."]),
);

/** The operation's field -> the tool's field, for faults that the operation finds. */
export type FieldNames = Readonly<Record<string, string>>;

export interface InsideCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly names?: FieldNames;
}

/** @throws ServiceError as the operation does, with faults in terms of the tool's fields. */
export async function callInside(
  calls: Calls,
  { signal }: Pick<Context, "signal">,
  { operation, input, names = {} }: InsideCall,
): Promise<CallResult> {
  try {
    return await calls.prepare(operation, input, { at: [] }).run({ signal });
  } catch (error) {
    throw error instanceof InputError ? renamed(error, names) : error;
  }
}

/** The JSON that an operation gives. */
export async function valueInside(
  calls: Calls,
  context: Pick<Context, "signal">,
  call: InsideCall,
): Promise<unknown> {
  const result = await callInside(calls, context, call);
  if (result.kind !== "json") throw new TypeError(`"${call.operation}" gave no JSON`);
  return result.value;
}

function renamed(error: InputError, names: FieldNames): InputError {
  const faults = error.faults.map(({ loc: [first, ...rest], ...fault }) => {
    const name = names[String(first)];
    const own = first === undefined ? [] : [first, ...rest];
    return { ...fault, loc: name === undefined ? own : [name] };
  });
  return new InputError(faults, { cause: error });
}
