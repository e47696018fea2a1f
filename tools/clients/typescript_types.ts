/** JSON Schemas as types of TypeScript. */

import { type ClientOperation, componentName, type Document, type Schema } from "./document.ts";

/** A module with the document's schemas, and the parameters and the answer of each operation. */
export function writeTypes(document: Document, operations: readonly ClientOperation[]): string {
  const types: readonly NamedType[] = [
    ...Object.entries(document.components.schemas).map(([name, schema]) => ({
      name: typeName(name),
      schema,
    })),
    ...operations.flatMap(({ id, parameters }) =>
      parameters === undefined ? [] : [{ name: parametersName(id), schema: parameters }]
    ),
    ...operations.flatMap(({ id, answer }) =>
      answer.kind === "json"
        ? [{ name: answerName(id), schema: answer.schema, optional: answer.optional }]
        : []
    ),
  ];
  const names = new Map<string, string>();
  for (const { name, schema } of types) {
    if (Object.keys(schema.properties ?? {}).length < MIN_SHARED_FIELDS) continue;
    const text = writeType(schema, NO_NAMES);
    if (!names.has(text)) names.set(text, name);
  }
  return types.map((type) => writeNamed(type, names)).join("\n");
}

export function parametersName(operationId: string): string {
  return `${pascal(operationId)}Parameters`;
}

export function answerName(operationId: string): string {
  return `${pascal(operationId)}Response`;
}

interface NamedType {
  readonly name: string;
  readonly schema: Schema;
  /** If true, `undefined` is one of its values. */
  readonly optional?: boolean;
}

/** The text of an object -> the name of the type that is so: an object is written once. */
type Names = ReadonlyMap<string, string>;

const NO_NAMES: Names = new Map();
/** Objects of fewer are alike by chance. */
const MIN_SHARED_FIELDS = 3;

function writeNamed({ name, schema, optional = false }: NamedType, names: Names): string {
  const isFirst = names.get(writeType(schema, NO_NAMES)) === name;
  const text = isFirst ? writeObject(schema, names) : writeType(schema, names);
  const comment = schema.description === undefined ? "" : `/** ${escape(schema.description)} */\n`;
  return `${comment}export type ${name} = ${text}${optional ? " | undefined" : ""};\n`;
}

function writeType(schema: Schema, names: Names): string {
  if (schema.$ref !== undefined) return typeName(componentName(schema.$ref));
  // alternatives beside properties say which of these go together: no type says that
  if (schema.properties !== undefined) {
    return names.get(writeObject(schema, NO_NAMES)) ?? writeObject(schema, names);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((choice) => writeType(choice, names)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type as string | undefined];
  return union(kinds.map((kind) => writeKind(kind, schema, names)));
}

function writeKind(kind: string | undefined, schema: Schema, names: Names): string {
  switch (kind) {
    case "string":
    case "boolean":
    case "null":
      return kind;
    case "integer":
    case "number":
      return "number";
    case "array":
      return writeArray(schema, names);
    case "object":
      return writeObject(schema, names);
    default:
      return "unknown";
  }
}

const MAX_TUPLE = 4;

function writeArray({ items = {}, minItems, maxItems }: Schema, names: Names): string {
  const item = writeType(items, names);
  if (minItems !== undefined && minItems === maxItems && minItems <= MAX_TUPLE) {
    return `[${Array(minItems).fill(item).join(", ")}]`;
  }
  return `Array<${item}>`;
}

function writeObject(
  { properties = {}, required = [], additionalProperties: others }: Schema,
  names: Names,
): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description === undefined
      ? ""
      : `/** ${escape(schema.description)} */\n`;
    return `${comment}${name}${required.includes(name) ? "" : "?"}: ${writeType(schema, names)};\n`;
  });
  if (typeof others === "object" && Object.keys(others).length > 0) {
    const value = writeType(others, names);
    if (fields.length === 0) return `Record<string, ${value}>`;
    fields.push(`[name: string]: ${union([value, "undefined"])};\n`);
  } else if (others !== undefined && others !== false) {
    if (fields.length === 0) return "Record<string, unknown>";
    fields.push("[name: string]: unknown;\n");
  }
  if (fields.length === 0) return `Record<string, ${others === false ? "never" : "unknown"}>`;
  return `{\n${fields.join("").replaceAll(/^(?=.)/gm, "  ")}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

/** `HTTPValidationError` is `HttpValidationError`. */
function typeName(component: string): string {
  return component.replace(/^([A-Z])([A-Z]+)(?=[A-Z][a-z])/, (_, first: string, rest: string) => {
    return first + rest.toLowerCase();
  });
}

function escape(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

function pascal(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
