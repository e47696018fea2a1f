/** JSON schemas of the OpenAPI document: zod's own, with references to those that have a name. */

import { z } from "zod";

export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What a schema is called while it is converted. */
const OWN = "OWN";

/** The schemas of one document. */
export class SchemaBook {
  readonly schemas: Record<string, Schema> = {};

  /** @param named schemas that are referred to wherever they are part of another */
  constructor(private readonly named: Readonly<Record<string, z.ZodType>>) {
    for (const [name, schema] of Object.entries(named)) {
      this.schemas[name] = this.convert(schema, "output");
    }
  }

  /** Puts the schema of a request into the book and gives the reference to it. */
  add(name: string, schema: z.ZodType): Schema {
    this.schemas[name] = this.convert(schema, "input");
    return referTo(name);
  }

  /** A schema in place, or the reference to one that has a name. */
  describe(schema: z.ZodType, io: "input" | "output"): Schema {
    const known = Object.keys(this.named).find((name) => this.named[name] === schema);
    return known === undefined ? this.convert(schema, io) : referTo(known);
  }

  private convert(schema: z.ZodType, io: "input" | "output"): Schema {
    const registry = z.registry<{ id: string }>();
    for (const [name, part] of Object.entries(this.named)) registry.add(part, { id: name });
    const id = registry.get(schema)?.id ?? OWN;
    registry.add(schema, { id });
    const { schemas } = z.toJSONSchema(registry, {
      io,
      uri: pointTo,
      unrepresentable: "any",
      override: tidy,
    });
    const { $schema: _dialect, $id: _address, ...rest } = schemas[id]!;
    return rest as Schema;
  }
}

export function referTo(name: string): Schema {
  return { $ref: pointTo(name) };
}

function pointTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** That an integer is one which JSON can carry exactly says nothing new. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
