/** An action that models ask for by name, as an entry of a vendor's table. */

import type { z } from "zod";
import { InputError, ServiceError } from "../../core/errors.ts";
import { failureText } from "./failure_text.ts";
import { readFields } from "./read_fields.ts";

/** `D` is what the vendor's actions act on. */
export interface Action<D> {
  readonly fields: z.ZodObject;
  // deno-lint-ignore no-explicit-any -- the fields are typed by actionOn
  run(target: D, input: any): Promise<void>;
}

export type ActionTable<D> = Readonly<Record<string, Action<D>>>;

/** An action whose fields are checked. */
export interface ReadyAction<D> {
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
