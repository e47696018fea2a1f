/** Checks what a model gave for an action, as strictly as our own operations are checked. */

import type { z } from "zod";
import { type Fault, InputError } from "../../core/errors.ts";
import { checkObject, isObject } from "../call/check_fields.ts";
import { findUnknownFields, foreignFieldFault } from "../call/unknown_fields.ts";

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
  const faults: Fault[] = [];
  if (isObject(given) && schema.def.catchall === undefined) {
    const unknown = findUnknownFields(schema, given, MAX_UNKNOWN);
    faults.push(...unknown.map((field) => foreignFieldFault(field, AT, { whose })));
  }
  const fields = checkObject({ schema, hasNames: false }, given, AT, faults);
  if (faults.length > 0) throw new InputError(faults);
  return fields as z.output<S>;
}

function withoutNulls(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
