/** JSON schemas of tools, from the schemas of their operation. */

import { z } from "zod";
import type { Tool } from "@modelcontextprotocol/server";
import type { Operation } from "../features/operation.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * All fields of an operation (path, query, body) as one object that takes no others; never a union
 * at the top, which some models do not take.
 */
export function inputSchema({ params, query, body }: Operation): Tool["inputSchema"] {
  const parts = [params, query, body].filter((part) => part !== undefined)
    .map((part) => convert(part, "input"));
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/**
 * What `structuredContent` fits; `undefined` for an operation whose answer is no JSON, or a text or
 * nothing, which a model reads as text.
 */
export function outputSchema({ answer }: Operation): Record<string, unknown> | undefined {
  if (!("schema" in answer) || answer.schema instanceof z.ZodString) return undefined;
  if (answer.schema instanceof z.ZodNull) return undefined;
  return convert(answer.schema, "output") as Record<string, unknown>;
}

function convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  return rest;
}

/** Removes what says nothing new, such as the bounds of safe integers. */
function tidy(schema: JsonSchema, io: "input" | "output"): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // an answer may get further fields in a later version
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
