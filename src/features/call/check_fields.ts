/** Checks fields against a schema and lists all faults in field order. */

import { type Fault, InputError, type ValueFault } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";
import { findFaults, type Loc } from "./faults/faults.ts";
import { runSchema } from "./faults/run_schema.ts";
import { reservedNames } from "./reserved_keys.ts";
import { illFormedTexts } from "./well_formed.ts";

export type Fields = Record<string, unknown>;
export type Schema = NonNullable<Operation["body"]>;

/**
 * The fields with defaults filled in; adds every fault to `faults`. Fields that the schema does not
 * know are left out.
 */
export function checkFields(
  schema: Schema,
  fields: Fields,
  at: Loc,
  faults: Fault[],
): Fields {
  const { value, issues } = runSchema(schema, fields);
  if (issues.length === 0) faults.push(...illFormedTexts(value as Fields, at));
  else faults.push(...allFaults(schema, fields, findFaults(issues, at), at));
  return value as Fields;
}

/** What {@link checkObject} checks against. */
export interface ObjectSchema {
  readonly schema: Schema;
  /** Whether it has fields that accept arbitrary names. */
  readonly hasNames: boolean;
}

/** {@link checkFields} for a value that may be anything. */
export function checkObject(
  { schema, hasNames }: ObjectSchema,
  value: unknown,
  at: Loc,
  faults: Fault[],
): Fields {
  if (!isObject(value)) {
    faults.push(noObject(at));
    return {};
  }
  if (hasNames) faults.push(...reservedNames(schema, value, at));
  return checkFields(schema, value, at, faults);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function noObject(at: Loc): Fault {
  return {
    loc: at,
    msg: "Input should be a valid dictionary or object to extract fields from",
    type: "model_attributes_type",
  };
}

/** Reports impossible values only when all types are correct. */
export function orderFaults(faults: readonly Fault[]): readonly Fault[] {
  const ofTypes = faults.filter((fault) => fault.type !== "value_error");
  return ofTypes.length > 0 ? ofTypes : faults;
}

/** Adds to a fault that a feature found in a field where the fields are. */
export function locateFault(fault: ValueFault, at: (field: string) => Loc): InputError {
  const path = typeof fault.field === "string" ? [fault.field] : fault.field;
  const located = {
    loc: [...at(String(path[0])), ...path],
    msg: fault.message,
    type: "value_error",
  };
  return new InputError([located], { cause: fault });
}

/** The same faults for a body that is elsewhere: `["body", "x"]` becomes `[...at, "x"]`. */
export function moveFaults({ faults }: InputError, at: Loc): InputError {
  return new InputError(
    faults.map((fault) => fault.loc[0] === "body" ? moveFault(fault, at) : fault),
  );
}

function moveFault(fault: Fault, at: Loc): Fault {
  return { ...fault, loc: [...at, ...fault.loc.slice(1)] };
}

/** The schema faults, and the ill-formed texts in other fields, in field order. */
function allFaults(
  schema: Schema,
  fields: Fields,
  found: readonly Fault[],
  at: Loc,
): readonly Fault[] {
  const order = Object.keys(schema.shape);
  const fieldOf = (fault: Fault) => String(fault.loc[at.length]);
  const faulty = new Set(found.map(fieldOf));
  const others = order.filter((name) => Object.hasOwn(fields, name) && !faulty.has(name));
  const texts = illFormedTexts(Object.fromEntries(others.map((name) => [name, fields[name]])), at);
  return [...found, ...texts].sort((a, b) => order.indexOf(fieldOf(a)) - order.indexOf(fieldOf(b)));
}
