/** JSON schemas of the OpenAPI document: zod's own, with what has a name kept once. */

import { z } from "zod";

export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Named schemas of one document. */
export class SchemaBook {
  readonly schemas: Record<string, Schema> = {};

  /** Puts a schema into the book and gives the reference to it. */
  add(name: string, schema: z.ZodType): Schema {
    this.schemas[name] = this.inline(schema, "input");
    return reference(name);
  }

  /** A schema in place; parts that carry an id (`.meta({ id })`) go into the book. */
  inline(schema: z.ZodType, io: "input" | "output"): Schema {
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any", override: tidy }) as Schema;
    const { $schema: _dialect, $defs = {}, ...rest } = made;
    for (const [name, part] of Object.entries($defs as Record<string, Schema>)) {
      this.schemas[name] = moveReferences(part);
    }
    return moveReferences(rest);
  }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The bodies of errors, as the clients of this interface know them. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    title: "HTTPValidationError",
    type: "object",
    properties: {
      detail: { title: "Detail", type: "array", items: reference("ValidationError") },
    },
  },
  ValidationError: {
    title: "ValidationError",
    type: "object",
    properties: {
      loc: {
        title: "Location",
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "integer" }] },
        description: "`body`, `query`, `path` or `header`, then the field, then indexes.",
        examples: [["body", "x"]],
      },
      msg: { title: "Message", type: "string", examples: ["Field required"] },
      type: { title: "Error Type", type: "string", examples: ["missing"] },
    },
    required: ["loc", "msg", "type"],
  },
  Error: {
    title: "Error",
    type: "object",
    properties: {
      detail: {
        type: "string",
        description: "One sentence.",
        examples: ['Cannot open display 7: no X server answers at ":7"'],
      },
    },
    required: ["detail"],
  },
};

/** That an integer is one which JSON can carry exactly says nothing new. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.id;
}

function moveReferences<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(moveReferences) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const moved = Object.entries(schema).map(([key, value]) => [
    key,
    key === "$ref" && typeof value === "string"
      ? value.replace(/^#\/\$defs\//, "#/components/schemas/")
      : moveReferences(value),
  ]);
  return Object.fromEntries(moved);
}
