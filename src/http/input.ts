/** Makes the one input of an operation from body, query and path: every fault is listed, in the order of the fields. */

import { type Fault, InputError, ValueFault } from "../core/errors.ts";
import type { Operation } from "../features/operation.ts";
import { findFaults, type Loc } from "./faults/faults.ts";
import { runSchema } from "./faults/run_schema.ts";
import { reservedNames } from "./reserved_keys.ts";
import { asTextFault, type TextField, textFields } from "./text_fields.ts";
import { illFormedTexts } from "./well_formed.ts";

type Fields = Record<string, unknown>;

/** What the schemas of an operation need at run time, prepared once. */
export interface InputReader {
  readonly operation: Operation;
  readonly query: readonly TextField[];
  readonly path: readonly TextField[];
}

/** The input as it came. */
export interface RawInput {
  readonly body: unknown;
  /** What follows the question mark. */
  readonly query: string;
  /** Still percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
}

export function inputReader(operation: Operation): InputReader {
  return {
    operation,
    query: operation.query === undefined ? [] : textFields(operation.query),
    path: operation.params === undefined ? [] : textFields(operation.params),
  };
}

/**
 * The fields of a body that is all the input an operation has.
 * @throws InputError with every fault.
 */
export function readBodyFields(operation: Operation, body: unknown): Fields {
  const faults: Fault[] = [];
  const fields = bodyFields(operation, body, faults);
  if (faults.length > 0) throw new InputError(orderFaults(faults));
  return fields;
}

/**
 * All fields of path, query and body, merged.
 * @throws InputError with every fault.
 */
export function readFields(reader: InputReader, raw: RawInput): Fields {
  const { operation } = reader;
  const faults: Fault[] = [];
  const path = pathFields(reader, raw.path, faults);
  const query = queryFields(reader, raw.query, faults);
  const body = operation.body === undefined ? {} : bodyFields(operation, raw.body, faults);
  if (faults.length > 0) throw new InputError(orderFaults(faults));
  return { ...body, ...query, ...path };
}

/** A fault that a feature found in a field, at the place where that field came from. */
export function locateFault(operation: Operation, fault: ValueFault): InputError {
  const loc = typeof fault.field === "string" ? [fault.field] : fault.field;
  const name = String(loc[0]);
  const place = fieldIn(operation.params, name)
    ? "path"
    : fieldIn(operation.query, name)
    ? "query"
    : "body";
  const located = { loc: [place, ...loc], msg: fault.message, type: "value_error" };
  return new InputError([located], { cause: fault });
}

function fieldIn(schema: Operation["body"], name: string): boolean {
  return schema !== undefined && Object.hasOwn(schema.shape, name);
}

function bodyFields(operation: Operation, body: unknown, faults: Fault[]): Fields {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    faults.push(NO_OBJECT);
    return {};
  }
  faults.push(...reservedNames(operation.body!, body, ["body"]));
  return checkFields(operation.body!, body as Fields, ["body"], faults);
}

function queryFields(reader: InputReader, query: string, faults: Fault[]): Fields {
  if (reader.operation.query === undefined) return {};
  const sent = new URLSearchParams(query);
  const fields: Fields = {};
  for (const { name, convert } of reader.query) {
    const text = sent.getAll(name).at(-1);
    if (text !== undefined) fields[name] = convert(text);
  }
  const found: Fault[] = [];
  const checked = checkFields(reader.operation.query, fields, ["query"], found);
  faults.push(...found.map(asTextFault));
  return checked;
}

function pathFields(reader: InputReader, path: RawInput["path"], faults: Fault[]): Fields {
  if (reader.operation.params === undefined) return {};
  const fields: Fields = {};
  const found: Fault[] = [];
  for (const { name, convert } of reader.path) {
    const part = path[name] ?? "";
    const text = decodePart(part);
    if (text === undefined) found.push(badEscape(name));
    fields[name] = convert(text ?? part);
  }
  const checked = checkFields(reader.operation.params, fields, ["path"], found);
  faults.push(...found.map(asTextFault));
  return checked;
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function checkFields(
  schema: NonNullable<Operation["body"]>,
  fields: Fields,
  at: Loc,
  faults: Fault[],
): Fields {
  const { value, issues } = runSchema(schema, fields);
  if (issues.length === 0) faults.push(...illFormedTexts(value as Fields, at));
  else faults.push(...allFaults(schema, fields, findFaults(issues, at), at));
  return value as Fields;
}

/** Faults of the schema and ill-formed texts of the other fields, in the order of the fields. */
function allFaults(
  schema: NonNullable<Operation["body"]>,
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

/** Impossible values are told only when all types are right. */
function orderFaults(faults: readonly Fault[]): readonly Fault[] {
  const ofTypes = faults.filter((fault) => fault.type !== "value_error");
  return ofTypes.length > 0 ? ofTypes : faults;
}

const NO_OBJECT: Fault = {
  loc: ["body"],
  msg: "Input should be a valid dictionary or object to extract fields from",
  type: "model_attributes_type",
};

function badEscape(name: string): Fault {
  return {
    loc: ["path", name],
    msg:
      'Path has a "%" that does not start an escape of UTF-8 bytes: write a percent sign as "%25"',
    type: "value_error",
  };
}
