/** The generated parts of `client/python`: types and methods, with and without `await`. */

import { type ClientOperation, type Document, type Field, readOperations } from "./document.ts";
import { PythonTypes } from "./python_types.ts";

const FOLDER = "client/python/src/computer_control";
const HEAD = "# This file is generated from openapi.json: `deno task clients`\n";
const INDENT = "    ";

export function generatePython(document: Document): Map<string, string> {
  const operations = readOperations(document);
  const types = new PythonTypes(document);
  const plain = writeModule(operations, types, { isAsync: false });
  const awaited = writeModule(operations, types, { isAsync: true });
  return new Map([
    [`${FOLDER}/_operations.py`, plain],
    [`${FOLDER}/_async_operations.py`, awaited],
    [
      `${FOLDER}/types.py`,
      `"""The shapes that operations take and answer."""\n\n${HEAD}${types.write()}`,
    ],
  ]);
}

interface Kind {
  readonly isAsync: boolean;
}

function writeModule(
  operations: readonly ClientOperation[],
  types: PythonTypes,
  kind: Kind,
): string {
  const groups = Map.groupBy(
    operations.filter(({ words }) => words.length > 0),
    ({ group }) => group,
  );
  const single = operations.filter(({ words }) => words.length === 0);
  const prefix = kind.isAsync ? "Async" : "";
  const base = `${prefix}Group`;
  const root = [
    `${INDENT}def __init__(self, connection: ${prefix}Connection) -> None:`,
    `${INDENT}${INDENT}super().__init__(connection)`,
    ...[...groups.keys()].map((name) =>
      `${INDENT}${INDENT}self.${name} = ${prefix}${pascal(name)}(connection)`
    ),
  ].join("\n");
  return [
    `"""One method for each operation, by group."""\n`,
    HEAD,
    "from __future__ import annotations\n",
    "from typing import Any, Dict, List, Literal, overload\n",
    `from . import types`,
    `from ._connection import ${prefix}Connection`,
    `from ._group import ${base}`,
    "from ._picture import Picture\n",
    ...[...groups].map(([name, members]) =>
      writeClass(
        `${prefix}${pascal(name)}`,
        base,
        members.map((operation) => writeMethod(operation, types, kind)),
      )
    ),
    writeClass(`${prefix}Operations`, base, [
      root,
      ...single.map((operation) => writeMethod(operation, types, kind)),
    ]),
  ].join("\n");
}

function writeClass(name: string, base: string, members: readonly string[]): string {
  return `\nclass ${name}(${base}):\n${members.join("\n\n")}\n`;
}

function writeMethod(operation: ClientOperation, types: PythonTypes, { isAsync }: Kind): string {
  const { id, group, words, method, path, fields, answer } = operation;
  const name = words.length === 0 ? group : words.join("_");
  const [def, wait] = isAsync ? ["async def", "await "] : ["def", ""];
  const required = fields.filter((field) => field.required);
  const [leading, optional] = splitOptional(fields);
  const typeOf = ({ name: field, schema }: Field) => types.of(schema, pascal(id) + pascal(field));
  const writeOptional = (field: Field) =>
    `${safeName(field.name)}: ${optionalType(typeOf(field))} = None`;
  const parameters = [
    "self",
    ...required.map((field) => `${safeName(field.name)}: ${typeOf(field)}`),
    ...leading.map(writeOptional),
    ...(optional.length > 0 ? ["*"] : []),
    ...optional.map(writeOptional),
  ];
  const sent = fields.map((field) => `${JSON.stringify(field.name)}: ${safeName(field.name)}`);
  const pairs = sent.length === 0 ? "{}" : lines("{", sent, "}", 2);
  const head = (result: string, list = parameters) =>
    `${INDENT}${def} ${name}${lines("(", list, ")", 1)} -> ${result}:`;
  const doc = writeDoc(operation);
  const call = (way: string) => `${wait}self.${way}("${method}", "${path}", ${pairs})`;
  if (answer.kind === "nothing") {
    return `${head("None")}\n${doc}\n${INDENT}${INDENT}${call("_send")}`;
  }
  if (answer.kind === "json") {
    const result = types.of(answer.schema, `${pascal(id)}Response`);
    return `${head(result)}\n${doc}\n${INDENT}${INDENT}value: ${result} = ${call("_ask")}\n` +
      `${INDENT}${INDENT}return value`;
  }
  const isSince = (parameter: string) => parameter.startsWith("since:");
  const plain = parameters.filter((parameter) => !isSince(parameter));
  const since = parameters.map((parameter) => isSince(parameter) ? "since: str" : parameter);
  return [
    `${INDENT}@overload\n${head("Picture", plain)} ...\n`,
    `${INDENT}@overload\n${head("Picture | None", since)} ...\n`,
    `${head("Picture | None")}\n${doc}\n${INDENT}${INDENT}return ${call("_look")}`,
  ].join("\n");
}

/** These may be given without their name where no field is required: `left_click(10, 20)`. */
const LEADING = ["x", "y", "text"];

function splitOptional(fields: readonly Field[]): [readonly Field[], readonly Field[]] {
  const optional = fields.filter((field) => !field.required);
  if (optional.length < fields.length) return [[], optional];
  const first = optional.findIndex(({ name }) => !LEADING.includes(name));
  const count = first === -1 ? optional.length : first;
  return [optional.slice(0, count), optional.slice(count)];
}

/** In one line when it is short, else one line for each. */
function lines(open: string, list: readonly string[], close: string, depth: number): string {
  const short = `${open}${list.join(", ")}${close}`;
  if (short.length <= 50) return short;
  const indent = INDENT.repeat(depth + 1);
  return `${open}\n${list.map((item) => `${indent}${item},\n`).join("")}${
    INDENT.repeat(depth)
  }${close}`;
}

function writeDoc({ summary, description, fields }: ClientOperation): string {
  const indent = INDENT.repeat(2);
  const told = fields.filter((field) => field.description !== "");
  const text = [
    `${summary}.`,
    ...(description === "" ? [] : ["", description]),
    ...(told.length === 0
      ? []
      : ["", ...told.map(({ name, description }) => `${safeName(name)}: ${description}`)]),
  ].join("\n").replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
  const body = text.split("\n").map((line) => line === "" ? "" : `${indent}${line}`).join("\n");
  return text.includes("\n")
    ? `${indent}"""${body.trimStart()}\n${indent}"""`
    : `${indent}"""${body.trimStart()}"""`;
}

function optionalType(type: string): string {
  return /(^|\| )None$/.test(type) ? type : `${type} | None`;
}

const KEYWORDS = new Set(["from", "import", "in", "is", "not", "class", "def", "pass", "async"]);

/** A field whose name is a word of the language gets a line behind it: `from_`. */
function safeName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function pascal(word: string): string {
  return word.split("_").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}
