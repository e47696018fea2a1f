/** Understands values as models write them: numbers, booleans, lists and objects as text. */

import { z } from "zod";
import { runSchema } from "./faults/run_schema.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Longer texts are no JSON that a model means, and take long to parse. */
const MAX_JSON = 64 * 1024;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([["true", true], ["false", false]]);

/**
 * The value that the schema takes, where the text of one was given; any other value as it is. What
 * the schema takes already is never changed.
 */
export function asMeant(schema: z.core.$ZodType, value: unknown): unknown {
  if (isTaken(schema, value)) return value;
  if (typeof value === "string") return fromText(schema, value);
  return typeof value === "object" && value !== null ? insideMeant(schema, value) : value;
}

function isTaken(schema: z.core.$ZodType, value: unknown): boolean {
  return runSchema(schema, value).issues.length === 0;
}

function fromText(schema: z.core.$ZodType, text: string): unknown {
  for (const read of [readNumber, readBoolean, readJson]) {
    const value = read(text.trim());
    if (value === undefined) continue;
    const meant = typeof value === "object" ? asMeant(schema, value) : value;
    if (isTaken(schema, meant)) return meant;
  }
  return text;
}

function readNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}

/** A list, an object or `null`. */
function readJson(text: string): unknown {
  if (text.length > MAX_JSON || !/^(?:[[{]|null$)/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same for what a list or an object holds. */
function insideMeant(schema: z.core.$ZodType, value: object): unknown {
  if (isWrapper(schema)) return insideMeant(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion) {
    const meant = schema.options.map((option) => insideMeant(option, value));
    return meant.find((option) => isTaken(schema, option)) ?? value;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => asMeant(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const own = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return [name, own === undefined ? field : asMeant(own, field)];
  });
  return Object.fromEntries(fields);
}

type Wrapper = z.ZodOptional | z.ZodDefault | z.ZodNullable;

function isWrapper(schema: unknown): schema is Wrapper {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable;
}
