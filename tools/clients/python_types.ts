/** JSON Schemas as types of Python: objects become `TypedDict`s with a name each. */

import { componentName, type Document, type Schema } from "./document.ts";

const NO_IDENTIFIER = new Set([
  "from",
  "import",
  "in",
  "is",
  "not",
  "class",
  "def",
  "pass",
  "async",
]);

export class PythonTypes {
  readonly #written = new Map<string, string>();

  constructor(private readonly document: Document) {}

  /**
   * The type of a value as the module of operations writes it.
   * @param name what an object without a name of its own is called
   */
  of(schema: Schema, name: string): string {
    return this.#of(schema, name, "types.");
  }

  /** All objects that were asked for, as a module. */
  write(): string {
    return [
      "from __future__ import annotations\n",
      "from typing import Any, Dict, List, Literal, NotRequired, TypedDict\n",
      ...this.#written.values(),
    ].join("\n");
  }

  #of(schema: Schema, name: string, prefix: string): string {
    if (schema.$ref !== undefined) {
      const component = componentName(schema.$ref);
      return this.#of(this.document.components.schemas[component]!, component, prefix);
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const several = choices.filter(isObject).length > 1;
      return union(
        choices.map((choice, i) =>
          this.#of(choice, several && isObject(choice) ? `${name}${i + 1}` : name, prefix)
        ),
      );
    }
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const kinds = Array.isArray(schema.type) ? schema.type : [schema.type as string | undefined];
    return union(kinds.map((kind) => this.#ofKind(kind, schema, { name, prefix })));
  }

  #ofKind(
    kind: string | undefined,
    schema: Schema,
    { name, prefix }: { readonly name: string; readonly prefix: string },
  ): string {
    switch (kind) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        // a class with a method `list` cannot use the built-in name
        return `List[${schema.items ? this.#of(schema.items, `${name}Item`, prefix) : "Any"}]`;
      case "object":
        return this.#ofObject(schema, name, prefix);
      default:
        return "Any";
    }
  }

  #ofObject(schema: Schema, name: string, prefix: string): string {
    const { properties, additionalProperties, required = [] } = schema;
    if (properties === undefined || Object.keys(properties).length === 0) {
      const value = typeof additionalProperties === "object"
        ? this.#of(additionalProperties, `${name}Value`, prefix)
        : "Any";
      return `Dict[str, ${value}]`;
    }
    // a loose object has fields that no type can name
    if (additionalProperties !== undefined && additionalProperties !== false) {
      return "Dict[str, Any]";
    }
    if (!this.#written.has(name)) {
      this.#written.set(name, ""); // it may hold itself
      const fields = Object.entries(properties).map(([field, value]) => {
        const type = this.#of(value, name + pascal(field), "");
        return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, value };
      });
      this.#written.set(name, writeTypedDict(name, fields));
    }
    return `${prefix}${name}`;
  }
}

interface TypedField {
  readonly field: string;
  readonly type: string;
  readonly value: Schema;
}

function writeTypedDict(name: string, fields: readonly TypedField[]): string {
  if (fields.some(({ field }) => NO_IDENTIFIER.has(field) || !/^\w+$/.test(field))) {
    const list = fields.map(({ field, type }) =>
      `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`
    );
    return `\n${name} = TypedDict("${name}", {\n${list.join("")}})\n`;
  }
  const list = fields.map(({ field, type, value }) =>
    `    ${field}: ${type}\n${
      value.description === undefined ? "" : `    ${docText(value.description)}\n`
    }`
  );
  return `\nclass ${name}(TypedDict):\n${list.join("")}`;
}

function docText(text: string): string {
  return `"""${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"""`;
}

function isObject(schema: Schema): boolean {
  return schema.type === "object" && schema.properties !== undefined;
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return [...all.filter((type) => type !== "None"), ...all.filter((type) => type === "None")].join(
    " | ",
  );
}

function literal(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  return value === null ? "None" : JSON.stringify(value);
}

function pascal(word: string): string {
  return word.split("_").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}
