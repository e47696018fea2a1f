/**
 * Builds the single input of an operation from body, query and path, and lists all faults in field
 * order.
 */

import { type Fault, InputError, ValueFault } from "../core/errors.ts";
import type { Operation } from "../features/operation.ts";
import { findFaults, type Loc } from "./faults/faults.ts";
import { runSchema } from "./faults/run_schema.ts";
import { reservedNames, takesNames } from "./reserved_keys.ts";
import { asTextFault, type TextField, textFields } from "./text_fields.ts";
import { illFormedTexts } from "./well_formed.ts";

type Fields = Record<string, unknown>;
type Schema = NonNullable<Operation["body"]>;

/** What reading the input of an operation needs, prepared once. */
export interface InputReader {
  readonly operation: Operation;
  readonly query: readonly TextField[];
  readonly path: readonly TextField[];
  /** Whether the body has fields that accept arbitrary names. */
  readonly hasNames: boolean;
  /** The fields of an empty query, cached after first use: most requests have no query. */
  withoutQuery?: Readonly<Fields>;
}

/** The raw input; parts that the operation does not use are absent. */
export interface RawInput {
  readonly body: unknown;
  /** The text after the question mark. */
  readonly query: string | undefined;
  readonly path: PathInput | undefined;
}

interface PathInput {
  /** The whole path, still percent-encoded. */
  readonly sent: string;
  /** The decoded path parameters; a "%" that begins no valid escape stays as it is. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function inputReader(operation: Operation): InputReader {
  return {
    operation,
    query: operation.query === undefined ? [] : textFields(operation.query),
    path: operation.params === undefined ? [] : textFields(operation.params),
    hasNames: operation.body !== undefined && takesNames(operation.body),
  };
}

/**
 * All fields of path, query and body, merged.
 * @throws InputError with every fault.
 */
export function readInput(reader: InputReader, raw: RawInput): Fields {
  const faults: Fault[] = [];
  const path = raw.path && readPath(reader, raw.path, faults);
  const query = raw.query === undefined ? undefined : readQuery(reader, raw.query, faults);
  const body = reader.operation.body && readBody(reader, raw.body, faults);
  if (faults.length > 0) throw new InputError(orderFaults(faults));
  return Object.assign(body ?? {}, query, path);
}

/**
 * Locates a fault that a feature found in a field: in the path, query or body that the field came
 * from.
 */
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

function readBody({ operation, hasNames }: InputReader, body: unknown, faults: Fault[]): Fields {
  const schema = operation.body!;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    faults.push(NO_OBJECT);
    return {};
  }
  if (hasNames) faults.push(...reservedNames(schema, body, ["body"]));
  return checkFields(schema, body as Fields, ["body"], faults);
}

function readQuery(reader: InputReader, query: string, faults: Fault[]): Readonly<Fields> {
  if (query === "" && reader.withoutQuery !== undefined) return reader.withoutQuery;
  const sent = new Map(new URLSearchParams(query)); // the last value of a name counts
  const fields: Fields = {};
  for (const { name, convert } of reader.query) {
    const text = sent.get(name);
    if (text !== undefined) fields[name] = convert(text);
  }
  const found: Fault[] = [];
  const checked = checkFields(reader.operation.query!, fields, ["query"], found);
  faults.push(...found.map(asTextFault));
  if (query === "" && found.length === 0) reader.withoutQuery = checked;
  return checked;
}

function readPath(
  reader: InputReader,
  { sent, parameters }: PathInput,
  faults: Fault[],
): Fields {
  const fields: Fields = {};
  const found: Fault[] = [];
  for (const { name, convert } of reader.path) {
    const text = parameters[name] ?? "";
    if (text.includes("%") && !isDecodable(sent)) found.push(badEscape(name));
    fields[name] = convert(text);
  }
  const checked = checkFields(reader.operation.params!, fields, ["path"], found);
  faults.push(...found.map(asTextFault));
  return checked;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function checkFields(
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

/** Reports impossible values only when all types are correct. */
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
