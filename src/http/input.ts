/**
 * Builds the single input of an operation from body, query and path, and lists all errors in field
 * order.
 */

import { z } from "zod";
import { type FieldError, InputError, type ValidationError } from "../core/errors.ts";
import {
  checkFields,
  checkObject,
  type Fields,
  isObject,
  locateFieldError,
  orderValidationErrors,
} from "../features/call/check_fields.ts";
import {
  findUnknownFields,
  type ForeignField,
  isContradiction,
  isWrapper,
  unknownFieldError,
} from "../features/call/unknown_fields.ts";
import { isInteger } from "../features/call/validation_errors.ts";
import type { Operation } from "../features/operation.ts";
import { tryDecode } from "./address.ts";

/** What reading the input of an operation needs, prepared once. */
interface InputReader {
  readonly operation: Operation;
  readonly query: readonly TextField[];
  readonly path: readonly TextField[];
  /** Whether unknown fields are ignored, and named in the answer. */
  readonly ignoresUnknown: boolean;
  /** The fields of an empty query, cached after first use: most requests have no query. */
  withoutQuery?: Readonly<Fields>;
}

/** The raw input; parts that the operation does not use are absent. */
interface RawInput {
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

export function inputReader(operation: Operation, ignoresUnknown: boolean): InputReader {
  return {
    operation,
    ignoresUnknown: ignoresUnknown && !operation.runsOthers,
    query: operation.query === undefined ? [] : textFields(operation.query),
    path: operation.params === undefined ? [] : textFields(operation.params),
  };
}

/** The input of an operation, and what is not part of it. */
interface Input {
  /** All fields of path, query and body, merged. */
  readonly fields: Fields;
  /** The unknown fields that were ignored. */
  readonly ignored: readonly FieldPath[];
}

/** @throws InputError with every error, also of fields that the operation does not know. */
export function readInput(reader: InputReader, raw: RawInput): Input {
  const { operation } = reader;
  const errors: ValidationError[] = [];
  const path = raw.path && readPath(reader, raw.path, errors);
  const query = operation.query && readQuery(reader, raw.query, errors);
  const body = operation.body && checkObject(operation.body, raw.body, ["body"], errors);
  const ignored = findIgnored(reader, raw, errors);
  if (errors.length > 0) throw new InputError(orderValidationErrors(errors));
  return { fields: Object.assign(body ?? {}, query, path), ignored };
}

const NONE: readonly FieldPath[] = [];

/**
 * The unknown fields, where they are ignored; otherwise adds their errors. Nested ones and those
 * that contradict each other are reported only where nothing else is wrong.
 */
function findIgnored(
  { operation, ignoresUnknown }: InputReader,
  { body, query }: RawInput,
  errors: ValidationError[],
): readonly FieldPath[] {
  const inQuery = query === "" ? [] : findUnknownInQuery(operation, query);
  const inBody = operation.body === undefined || !isObject(body)
    ? []
    : findUnknownFields(operation.body, body, MAX_IGNORED);
  if (inQuery.length === 0 && inBody.length === 0) return NONE;
  const hasErrors = errors.length > 0;
  for (const [location, found] of [["query", inQuery], ["body", inBody]] as const) {
    const refused = found
      .filter((field) => !ignoresUnknown || isContradiction(field))
      .filter((field) => !hasErrors || !isContradiction(field) && field.path.length === 1);
    errors.push(...refused.map((field) => unknownFieldError(field, [location], operation)));
  }
  return [...inQuery, ...inBody].map(({ path }) => path);
}

/** Probes of `/healthz` and its like may add what they want. */
function findUnknownInQuery({ query: schema, unnamed }: Operation, query: string): ForeignField[] {
  if (unnamed) return [];
  const known = Object.keys(schema?.shape ?? {});
  return [...new Set(new URLSearchParams(query).keys())]
    .filter((name) => !known.includes(name))
    .slice(0, MAX_IGNORED)
    .map((name) => ({ path: [name.slice(0, MAX_NAME_LENGTH).toWellFormed()], known }));
}

const MAX_NAME_LENGTH = 64;

/**
 * Locates an error that a feature found in a field: in the path, query or body that the field came
 * from.
 */
export function locateInRequest(operation: Operation, error: FieldError): InputError {
  return locateFieldError(error, (name) => [locationOf(operation, name)]);
}

function locationOf({ params, query }: Operation, name: string): string {
  if (fieldIn(params, name)) return "path";
  return fieldIn(query, name) ? "query" : "body";
}

function fieldIn(schema: Operation["body"], name: string): boolean {
  return schema !== undefined && Object.hasOwn(schema.shape, name);
}

function readQuery(
  reader: InputReader,
  query: string,
  errors: ValidationError[],
): Readonly<Fields> {
  if (query === "" && reader.withoutQuery !== undefined) return reader.withoutQuery;
  const sent = new Map(new URLSearchParams(query)); // the last value of a name counts
  const fields: Fields = {};
  for (const { name, convert } of reader.query) {
    const text = sent.get(name);
    if (text !== undefined) fields[name] = convert(text);
  }
  const found: ValidationError[] = [];
  const checked = checkFields(reader.operation.query!, fields, ["query"], found);
  errors.push(...found.map(asTextError));
  if (query === "" && found.length === 0) reader.withoutQuery = checked;
  return checked;
}

function readPath(
  reader: InputReader,
  { sent, parameters }: PathInput,
  errors: ValidationError[],
): Fields {
  const fields: Fields = {};
  const found: ValidationError[] = [];
  for (const { name, convert } of reader.path) {
    const text = parameters[name] ?? "";
    if (text.includes("%") && tryDecode(sent) === undefined) found.push(badEscape(name));
    fields[name] = convert(text);
  }
  const checked = checkFields(reader.operation.params!, fields, ["path"], found);
  errors.push(...found.map(asTextError));
  return checked;
}

function badEscape(name: string): ValidationError {
  return {
    loc: ["path", name],
    msg:
      'Path has a "%" that does not start a valid UTF-8 percent-encoding: write a percent sign as "%25"',
    type: "value_error",
  };
}

// Converts query and path fields from text to the type that the schema expects; text that cannot be
// converted stays as it is.

type Convert = (text: string) => unknown;

/** One field that arrives as text. */
interface TextField {
  readonly name: string;
  readonly convert: Convert;
}

/** The text fields of a schema, prepared once. */
function textFields(schema: z.ZodObject): readonly TextField[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    convert: chooseConverter(field),
  }));
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);
const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const asText: Convert = (text) => text;
const asInteger: Convert = (text) => INTEGER.test(text) ? Number(text) : text;
const asNumber: Convert = (text) => NUMBER.test(text) ? Number(text) : text;
const asBoolean: Convert = (text) => WORDS.get(text.toLowerCase()) ?? text;

function chooseConverter(schema: unknown): Convert {
  if (isWrapper(schema)) return chooseConverter(schema.unwrap());
  if (schema instanceof z.ZodNumber) return isInteger(schema) ? asInteger : asNumber;
  return schema instanceof z.ZodBoolean ? asBoolean : asText;
}

const PARSING: Readonly<Record<string, Pick<ValidationError, "type" | "msg">>> = {
  int_type: {
    type: "int_parsing",
    msg: "Input should be a valid integer, unable to parse string as an integer",
  },
  float_type: {
    type: "float_parsing",
    msg: "Input should be a valid number, unable to parse string as a number",
  },
  bool_type: {
    type: "bool_parsing",
    msg: "Input should be a valid boolean, unable to interpret input",
  },
};

/** For a text field, a wrong type means that the text could not be converted. */
function asTextError(each: ValidationError): ValidationError {
  return { ...each, ...PARSING[each.type] };
}

// Names the fields that a request has and its operation does not know, where the service was started
// to ignore them: a header says so.

/** A name within others, from the outermost: `["item", "colour"]`. */
type FieldPath = readonly (string | number)[];

/** The most fields to look for. */
const MAX_IGNORED = 16;
const MAX_KEY_LENGTH = 64;
const MAX_LENGTH = 1_024;

/**
 * The value of the header: names with commas, nested ones with dots. It holds only characters that
 * a header may have, others as UTF-8 with percent signs; `...` stands for what is too much.
 */
export function describeIgnored(paths: readonly FieldPath[]): string {
  let text = "";
  for (const path of paths.slice(0, MAX_IGNORED - 1)) {
    const name = path.map(encodeKey).join(".");
    if (text.length + name.length > MAX_LENGTH) return `${text}...`;
    text += `${name}, `;
  }
  return paths.length < MAX_IGNORED ? text.slice(0, -2) : `${text}...`;
}

function encodeKey(key: string | number): string {
  if (key === "") return '""';
  return encodeURIComponent(String(key).slice(0, MAX_KEY_LENGTH).toWellFormed());
}
