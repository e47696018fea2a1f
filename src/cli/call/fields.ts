/** The fields of an operation as flags: their names, what they take, and their values from text. */

import { z } from "zod";
import { tryParseJson } from "../../core/texts.ts";
import { asMeant, isWrapper } from "../../features/call/unknown_fields.ts";
import type { Operation } from "../../features/operation.ts";

export interface Field {
  /** `duration_ms` */
  readonly name: string;
  /** `--duration-ms` */
  readonly flag: string;
  readonly isRequired: boolean;
  /** Whether its flag alone means `true`. */
  readonly isBoolean: boolean;
  /** Whether its flag may be repeated, once for each item. */
  readonly isList: boolean;
  /** `<integer>`, `png|jpeg|webp`, `<json>` */
  readonly takes: string;
  /** The values that it can have, where they are few words. */
  readonly values: readonly string[];
  readonly description: string;
  readonly default: unknown;
  /** The value that the texts of its flag mean; one that means none stays a text. */
  read(texts: readonly string[]): unknown;
}

/** The fields of an operation, those of its path first. */
export function fieldsOf({ params, query, body }: Operation): readonly Field[] {
  return [params, query, body].flatMap((schema) => schema === undefined ? [] : listFields(schema));
}

/** `duration_ms` -> `--duration-ms` */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly description?: string;
  readonly default?: unknown;
}

function listFields(schema: z.ZodObject): readonly Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
  }) as { properties?: Record<string, Shape>; required?: readonly string[] };
  return Object.entries(schema.shape).map(([name, own]) => {
    const shape = properties[name] ?? {};
    return {
      name,
      flag: flagOf(name),
      isRequired: required.includes(name),
      isBoolean: shape.type === "boolean",
      isList: shape.type === "array",
      takes: describeShape(shape),
      values: valuesOf(shape),
      description: shape.description ?? "",
      default: shape.default,
      read: (texts) => readTexts(own as z.ZodType, shape, texts),
    };
  });
}

function describeShape(shape: Shape): string {
  const options = shape.anyOf ?? shape.oneOf;
  if (options !== undefined) return [...new Set(options.map(describeShape))].join("|");
  if (shape.enum !== undefined) return shape.enum.map(String).join("|");
  if (shape.const !== undefined) return String(shape.const);
  switch (shape.type) {
    case "integer":
    case "number":
    case "null":
      return `<${shape.type}>`;
    case "boolean":
      return "true|false";
    case "string":
      return "<text>";
    case "array":
      return shape.items === undefined ? "<json>" : `${describeShape(shape.items)}...`;
    default:
      return "<json>";
  }
}

function valuesOf(shape: Shape): readonly string[] {
  if (shape.type === "boolean") return ["true", "false"];
  if (shape.enum !== undefined) return shape.enum.map(String);
  if (shape.items !== undefined) return valuesOf(shape.items);
  return (shape.anyOf ?? shape.oneOf ?? []).flatMap(valuesOf);
}

function readTexts(schema: z.ZodType, shape: Shape, texts: readonly string[]): unknown {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodArray)) {
    // of a list among other things, each flag is an item
    return texts.length === 1 ? readText(schema, shape, texts[0]!) : texts.map(fromJson);
  }
  const [only] = texts;
  const whole = texts.length === 1 && only!.trim().startsWith("[") ? fromJson(only!) : undefined;
  if (Array.isArray(whole)) return asMeant(schema, whole);
  return texts.map((text) => readText(inner.element, shape.items ?? {}, text));
}

/** What is no text stays none if the schema refuses it: the error then says why. */
function readText(schema: z.core.$ZodType, shape: Shape, text: string): unknown {
  const value = asMeant(schema, text);
  return value === text && shape.type !== "string" ? fromJson(text) : value;
}

function fromJson(text: string): unknown {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? unwrap(schema.unwrap()) : schema;
}
