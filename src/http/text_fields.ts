/**
 * Converts query and path fields from text to the type that the schema expects; text that cannot be
 * converted stays as it is.
 */

import { z } from "zod";
import type { Fault } from "../core/errors.ts";
import { isInteger } from "../features/call/faults/words.ts";

type Convert = (text: string) => unknown;

/** One field that arrives as text. */
export interface TextField {
  readonly name: string;
  readonly convert: Convert;
}

/** The text fields of a schema, prepared once. */
export function textFields(schema: z.ZodObject): readonly TextField[] {
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
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable;
  if (isWrapped) return chooseConverter(schema.unwrap());
  if (schema instanceof z.ZodNumber) return isInteger(schema) ? asInteger : asNumber;
  return schema instanceof z.ZodBoolean ? asBoolean : asText;
}

const PARSING: Readonly<Record<string, Pick<Fault, "type" | "msg">>> = {
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
export function asTextFault(fault: Fault): Fault {
  return { ...fault, ...PARSING[fault.type] };
}
