/**
 * Builds the single input of an operation from body, query and path, and lists all faults in field
 * order.
 */

import { type Fault, InputError, type ValueFault } from "../core/errors.ts";
import {
  checkFields,
  checkObject,
  type Fields,
  locateFault,
  type ObjectSchema,
  orderFaults,
} from "../features/call/check_fields.ts";
import { takesNames } from "../features/call/reserved_keys.ts";
import {
  findUnknownFields,
  isContradiction,
  unknownFieldFault,
} from "../features/call/unknown_fields.ts";
import type { Operation } from "../features/operation.ts";
import { type FieldPath, MAX_IGNORED } from "./ignored_fields.ts";
import { asTextFault, type TextField, textFields } from "./text_fields.ts";

/** What reading the input of an operation needs, prepared once. */
export interface InputReader {
  readonly operation: Operation;
  readonly query: readonly TextField[];
  readonly path: readonly TextField[];
  readonly body: ObjectSchema | undefined;
  /** The fields of an empty query, cached after first use: most requests have no query. */
  withoutQuery?: Readonly<Fields>;
}

/** The raw input; parts that the operation does not use are absent. */
export interface RawInput {
  readonly body: unknown;
  /** The text after the question mark; empty without one. */
  readonly query: string;
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
    body: operation.body && { schema: operation.body, hasNames: takesNames(operation.body) },
  };
}

/** The input of an operation, and what is not part of it. */
export interface Input {
  /** All fields of path, query and body, merged. */
  readonly fields: Fields;
  /** The fields that the operation does not know. */
  readonly ignored: readonly FieldPath[];
}

/** @throws InputError with every fault. */
export function readInput(reader: InputReader, raw: RawInput): Input {
  const faults: Fault[] = [];
  const path = raw.path && readPath(reader, raw.path, faults);
  const query = reader.operation.query && readQuery(reader, raw.query, faults);
  const body = reader.body && checkObject(reader.body, raw.body, ["body"], faults);
  if (faults.length > 0) throw new InputError(orderFaults(faults));
  return { fields: Object.assign(body ?? {}, query, path), ignored: findIgnored(reader, raw) };
}

const NONE: readonly FieldPath[] = [];

/** @throws InputError for an operation that refuses such fields, and for contradictory ones. */
function findIgnored({ operation }: InputReader, { body, query }: RawInput): readonly FieldPath[] {
  const inQuery = query === "" ? NONE : findIgnoredInQuery(operation, query);
  if (operation.body === undefined) return inQuery;
  const inBody = findUnknownFields(operation.body, body as object, MAX_IGNORED);
  if (inBody.length === 0) return inQuery;
  const refused = operation.runsOthers ? inBody : inBody.filter(isContradiction);
  if (refused.length > 0) {
    const whose = `"${operation.id}"`;
    throw new InputError(refused.map((unknown) => unknownFieldFault(unknown, ["body"], whose)));
  }
  return [...inQuery, ...inBody.map(({ path }) => path)];
}

function findIgnoredInQuery(operation: Operation, query: string): readonly FieldPath[] {
  return new URLSearchParams(query).keys()
    .filter((name) => !fieldIn(operation.query, name))
    .take(MAX_IGNORED)
    .map((name) => [name])
    .toArray();
}

/**
 * Locates a fault that a feature found in a field: in the path, query or body that the field came
 * from.
 */
export function locateInRequest(operation: Operation, fault: ValueFault): InputError {
  return locateFault(fault, (name) => [placeOf(operation, name)]);
}

function placeOf({ params, query }: Operation, name: string): string {
  if (fieldIn(params, name)) return "path";
  return fieldIn(query, name) ? "query" : "body";
}

function fieldIn(schema: Operation["body"], name: string): boolean {
  return schema !== undefined && Object.hasOwn(schema.shape, name);
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

function badEscape(name: string): Fault {
  return {
    loc: ["path", name],
    msg:
      'Path has a "%" that does not start an escape of UTF-8 bytes: write a percent sign as "%25"',
    type: "value_error",
  };
}
