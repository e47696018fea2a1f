/** JSON schemas of the OpenAPI document: zod's own, with references to named schemas. */

import { z } from "zod";

export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The name of a schema during its conversion. */
const OWN = "OWN";

/** The schemas of one document. */
export class SchemaBook {
  readonly schemas: Record<string, Schema> = {};

  /** @param named schemas to refer to by name wherever others contain them */
  constructor(private readonly named: Readonly<Record<string, z.ZodType>>) {
    const all = convertAll(this.registry(), "output", tidyAnswer);
    for (const name of Object.keys(named)) this.schemas[name] = withoutAddress(all[name]!);
  }

  /**
   * Adds the schema of a request and returns the reference to it.
   * @param isOpen whether unknown fields are ignored
   */
  add(name: string, schema: z.ZodType, { isOpen = false } = {}): Schema {
    this.schemas[name] = this.convert(schema, "input", isOpen ? tidy : close);
    return referTo(name);
  }

  /** The schema inline, or a reference if it has a name. */
  describe(schema: z.ZodType, io: "input" | "output"): Schema {
    const known = Object.keys(this.named).find((name) => this.named[name] === schema);
    return known === undefined ? this.convert(schema, io) : referTo(known);
  }

  private convert(schema: z.ZodType, io: "input" | "output", given?: typeof tidy): Schema {
    const override = given ?? (io === "input" ? tidy : tidyAnswer);
    const registry = this.registry();
    const id = registry.get(schema)?.id ?? OWN;
    registry.add(schema, { id });
    return withoutAddress(convertAll(registry, io, override)[id]!);
  }

  private registry(): Registry {
    const registry: Registry = z.registry<{ id: string }>();
    for (const [name, part] of Object.entries(this.named)) registry.add(part, { id: name });
    return registry;
  }
}

type Registry = z.core.$ZodRegistry<{ id: string }>;

function convertAll(
  registry: Registry,
  io: "input" | "output",
  override: typeof tidy,
): Readonly<Record<string, Schema>> {
  const options = { io, uri: pointTo, unrepresentable: "any", override } as const;
  return z.toJSONSchema(registry, options).schemas as Record<string, Schema>;
}

function withoutAddress(schema: Schema): Schema {
  const { $schema: _dialect, $id: _address, ...rest } = schema;
  return rest;
}

export function referTo(name: string): Schema {
  return { $ref: pointTo(name) };
}

function pointTo(name: string): string {
  return `#/components/schemas/${name}`;
}

interface Converted {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Removes what says nothing new, and says that an object has no other properties. */
function close({ jsonSchema }: Converted): void {
  tidy({ jsonSchema });
  if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties ??= false;
}

/** Of an answer: also removes the bounds of safe integers, which requests must keep. */
function tidyAnswer({ jsonSchema }: Converted): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  tidy({ jsonSchema });
}

/** Removes what says nothing new. */
function tidy({ jsonSchema }: Converted): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
