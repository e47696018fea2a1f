/** Checks fields against a schema and lists all errors in field order. */

import { z } from "zod";
import { type FieldError, InputError, type ValidationError } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";
import { asMeant, findUnknownFields, unknownFieldError } from "./unknown_fields.ts";
import {
  type Loc,
  MAX_VALIDATION_ERRORS,
  runSchema,
  toValidationErrors,
} from "./validation_errors.ts";

export type Fields = Record<string, unknown>;
type Schema = NonNullable<Operation["body"]>;

/**
 * The fields with defaults filled in; adds every error to `errors`. Fields that the schema does not
 * know are left out.
 */
export function checkFields(
  schema: Schema,
  fields: Fields,
  at: Loc,
  errors: ValidationError[],
): Fields {
  const { value, issues } = runSchema(schema, fields);
  if (issues.length === 0) errors.push(...illFormedTexts(value as Fields, at));
  else errors.push(...allValidationErrors(schema, fields, toValidationErrors(issues, at), at));
  return value as Fields;
}

/** {@link checkFields} for a value that may be anything. */
export function checkObject(
  schema: Schema,
  value: unknown,
  at: Loc,
  errors: ValidationError[],
): Fields {
  if (!isObject(value)) {
    errors.push(noObject(at));
    return {};
  }
  errors.push(...reservedNames(schema, value, at));
  return checkFields(schema, value, at, errors);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function noObject(at: Loc): ValidationError {
  return {
    loc: at,
    msg: "Input should be a valid dictionary or object to extract fields from",
    type: "model_attributes_type",
  };
}

/** Reports impossible values only when all types are correct. */
export function orderValidationErrors(
  errors: readonly ValidationError[],
): readonly ValidationError[] {
  const ofTypes = errors.filter((each) => each.type !== "value_error");
  return ofTypes.length > 0 ? ofTypes : errors;
}

/** Adds to an error that a feature found in a field where the fields are. */
export function locateFieldError(error: FieldError, at: (field: string) => Loc): InputError {
  const path = typeof error.field === "string" ? [error.field] : error.field;
  const located = {
    loc: [...at(String(path[0])), ...path],
    msg: error.message,
    type: "value_error",
  };
  return new InputError([located], { cause: error });
}

/** The same errors for a body that is elsewhere: `["body", "x"]` becomes `[...at, "x"]`. */
export function moveValidationErrors({ errors }: InputError, at: Loc): InputError {
  return new InputError(errors.map((each) => {
    const [source, ...path] = each.loc;
    return source === "body" ? { ...each, loc: [...at, ...path] } : each;
  }));
}

/** The schema errors, and the ill-formed texts in other fields, in field order. */
function allValidationErrors(
  schema: Schema,
  fields: Fields,
  found: readonly ValidationError[],
  at: Loc,
): readonly ValidationError[] {
  const order = Object.keys(schema.shape);
  const fieldOf = (each: ValidationError) => String(each.loc[at.length]);
  const invalid = new Set(found.map(fieldOf));
  const others = order.filter((name) => Object.hasOwn(fields, name) && !invalid.has(name));
  const texts = illFormedTexts(Object.fromEntries(others.map((name) => [name, fields[name]])), at);
  return [...found, ...texts].sort((a, b) => order.indexOf(fieldOf(a)) - order.indexOf(fieldOf(b)));
}

// Finds `__proto__` among names that a client may choose, such as those of the environment of a
// command: the schemas would silently drop it and accept the rest of the body.

const RESERVED = "__proto__";

function reservedNames(schema: Schema, body: Fields, at: Loc): readonly ValidationError[] {
  const invalid = Object.keys(body).filter((field) =>
    isObject(body[field]) && Object.hasOwn(body[field], RESERVED) &&
    takesAnyName(schema.shape[field]) // elsewhere it is an ordinary unknown field
  );
  return invalid.map((field) => ({
    loc: [...at, field, RESERVED],
    msg: `No name can be "${RESERVED}"`,
    type: "value_error",
  }));
}

function takesAnyName(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return takesAnyName(schema.unwrap());
  if (schema instanceof z.ZodObject) return schema.def.catchall !== undefined;
  return schema instanceof z.ZodRecord;
}

// Finds texts that UTF-8 cannot represent: JSON allows an escaped half of a surrogate pair.

function illFormedTexts(fields: object, at: Loc): readonly ValidationError[] {
  return isFlatAndFine(fields) ? NONE : searchDeep(fields, at);
}

const NONE: readonly ValidationError[] = [];

/** A fast check that suffices for nearly all bodies and allocates nothing. */
function isFlatAndFine(fields: object): boolean {
  for (const key in fields) {
    const value: unknown = fields[key as keyof typeof fields];
    if (typeof value === "string" && !value.isWellFormed()) return false;
    const isEmptyList = Array.isArray(value) && value.length === 0;
    if (typeof value === "object" && value !== null && !isEmptyList) return false;
  }
  return true;
}

/** One path for the whole search: a copy at each level would take quadratic time in the depth. */
function searchDeep(
  inside: object,
  at: Loc,
  path: (string | number)[] = [],
  errors: ValidationError[] = [],
): readonly ValidationError[] {
  for (const [key, value] of Object.entries(inside)) {
    if (errors.length >= MAX_VALIDATION_ERRORS) break;
    path.push(Array.isArray(inside) ? Number(key) : key.toWellFormed());
    const isFine = key.isWellFormed() && (typeof value !== "string" || value.isWellFormed());
    if (!isFine) errors.push(illFormed([...at, ...path]));
    if (typeof value === "object" && value !== null) searchDeep(value, at, path, errors);
    path.pop();
  }
  return errors;
}

function illFormed(loc: Loc): ValidationError {
  return {
    loc,
    msg: "Input should be a valid string, unable to parse raw data as a unicode string",
    type: "string_unicode",
  };
}

// The fields of an operation as one flat object: those of its body, query and path, merged.

export class FlatInput {
  readonly #parts: readonly Schema[];
  /** The names of all fields, those of the path first. */
  readonly names: readonly string[];

  constructor(private readonly operation: Operation) {
    const { params, query, body } = operation;
    this.#parts = [params, query, body].filter((schema) => schema !== undefined);
    this.names = this.#parts.flatMap(({ shape }) => Object.keys(shape));
  }

  /**
   * The checked fields, with defaults filled in. A missing input means no fields.
   * @throws InputError with every error, also of fields that the operation does not take
   */
  read(input: unknown = {}, at: Loc = ["input"]): Fields {
    if (!isObject(input)) throw new InputError([noObject(at)]);
    const errors: ValidationError[] = this.#unknownFieldErrors(input, at);
    const fields: Fields = {};
    for (const schema of this.#parts) {
      const own = pick(input, schema);
      const found: ValidationError[] = [];
      const checked = checkObject(schema, own, at, found);
      if (found.length === 0) {
        const nested = findUnknownFields(schema, own, MAX_VALIDATION_ERRORS);
        found.push(...nested.map((unknown) => unknownFieldError(unknown, at, this.operation)));
      }
      errors.push(...found);
      Object.assign(fields, checked);
    }
    if (errors.length > 0) throw new InputError(orderValidationErrors(errors));
    return fields;
  }

  /** The input with numbers, booleans, lists and objects that came as text turned into such. */
  lenient(input: unknown): unknown {
    if (!isObject(input)) return input;
    const fields = { ...input };
    for (const { shape } of this.#parts) {
      for (const [name, field] of Object.entries(shape)) {
        if (Object.hasOwn(fields, name)) fields[name] = asMeant(field, fields[name]);
      }
    }
    return fields;
  }

  #unknownFieldErrors(input: Fields, at: Loc): ValidationError[] {
    const { names: known } = this;
    return Object.keys(input).filter((name) => !known.includes(name))
      .slice(0, MAX_VALIDATION_ERRORS)
      .map((name) => ({ path: [name.slice(0, 64).toWellFormed()], known }))
      .map((unknown) => unknownFieldError(unknown, at, this.operation));
  }
}

function pick(input: Fields, schema: Schema): Fields {
  const names = Object.keys(schema.shape).filter((name) => Object.hasOwn(input, name));
  return Object.fromEntries(names.map((name) => [name, input[name]]));
}
