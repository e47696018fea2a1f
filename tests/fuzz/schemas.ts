/** Makes values from JSON schemas, as far as OpenAPI documents of this service use them. */

import fc from "fast-check";

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;
type Values = fc.Arbitrary<unknown>;

/** Values that fit the schema, or nearly: what single keywords cannot say is left to a validator. */
export function valuesOf(schema: Schema, all: Schemas): Values {
  const made = specialOf(schema, all) ?? typedOf(schema, all);
  const example = (schema["examples"] as unknown[] | undefined)?.[0] ?? schema["example"];
  return example === undefined ? made : fc.oneof(made, fc.constant(example));
}

export function resolve(schema: Schema, all: Schemas): Schema {
  return schema.$ref === undefined ? schema : all[schema.$ref.split("/").at(-1)!]!;
}

function specialOf(schema: Schema, all: Schemas): Values | undefined {
  if (schema.$ref !== undefined) return valuesOf(resolve(schema, all), all);
  if ("const" in schema) return fc.constant(schema["const"]);
  if ("enum" in schema) return fc.constantFrom(...schema["enum"] as unknown[]);
  const branches = schema["anyOf"] ?? (schema.type === undefined ? schema["oneOf"] : undefined);
  if (branches === undefined) return undefined;
  return fc.oneof(...(branches as Schema[]).map((branch) => valuesOf(branch, all)));
}

function typedOf(schema: Schema, all: Schemas): Values {
  switch (schema.type) {
    case "integer":
      return numbers(schema, -2_000, 2_000, (min, max) => fc.integer({ min, max }));
    case "number":
      return numbers(schema, -1e6, 1e6, (min, max) => fc.double({ min, max, noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return texts(schema);
    case "array":
      return lists(schema, all);
    case "object":
      return objects(schema, all);
    default:
      return fc.jsonValue();
  }
}

function numbers(
  schema: Schema,
  low: number,
  high: number,
  make: (min: number, max: number) => fc.Arbitrary<number>,
): Values {
  const min = Number(schema["minimum"] ?? low);
  const max = Number(schema["maximum"] ?? Math.max(high, min));
  const above = "exclusiveMinimum" in schema ? Number(schema["exclusiveMinimum"]) + 1 : min;
  const most = Math.max(above, max);
  return fc.oneof(
    make(above, most),
    fc.constantFrom(above, most),
    make(above, Math.min(most, above + 50)),
  );
}

/** Texts that mean something somewhere, so that requests come further than the first look at a value. */
const WORDS = [
  ...["a", "enter", "ctrl", "ctrl+a", "shift", "é", "日本", "🙂", "line\nline", " ", ".", ".."],
  ...["~", "~/a.txt", "/tmp/b.txt", "folder/c", "/", "/dev/null", "/dev/zero", "/proc/self/mem"],
  ...["https://example.invalid/a?b=c", "about:blank", "mailto:a@example.invalid"],
  ...["*", "**/*.txt", "[a", "{a,b}", "echo hi", "sleep 0.05", "cat", "true", "github", "password"],
];

function texts(schema: Schema): Values {
  const minLength = Number(schema["minLength"] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema["maxLength"] ?? 30), 30));
  const fits = (text: string) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength;
  };
  const words = fc.constantFrom(...WORDS.filter(fits));
  const any = fc.string({ unit: "binary", minLength, maxLength });
  const all = WORDS.some(fits) ? [words, words, any] : [any];
  if (!("pattern" in schema)) return fc.oneof(...all);
  const pattern = new RegExp(schema["pattern"] as string, "u");
  const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
  const most = Number(schema["maxLength"] ?? Infinity); // an id can be longer than other texts here
  return fc.oneof(...all, names, ...matching(pattern)).filter((text) =>
    pattern.test(text) && text.length >= minLength && text.length <= most
  );
}

/** Where nothing else may match, it would be looked for without an end. */
function matching(pattern: RegExp): readonly fc.Arbitrary<string>[] {
  try {
    return [fc.stringMatching(pattern)];
  } catch {
    return []; // it looks around, which the generator does not know
  }
}

function lists(schema: Schema, all: Schemas): Values {
  const minLength = Number(schema["minItems"] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema["maxItems"] ?? 4), 4));
  const prefix = schema["prefixItems"] as Schema[] | undefined;
  if (prefix !== undefined) return fc.tuple(...prefix.map((item) => valuesOf(item, all)));
  return fc.array(valuesOf((schema["items"] ?? {}) as Schema, all), { minLength, maxLength });
}

function objects(schema: Schema, all: Schemas): Values {
  const { properties = {}, required = [] } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valuesOf(field, all)]),
  );
  const choices = ((schema["oneOf"] ?? []) as Schema[]).map((choice) => choice.required ?? []);
  const leftOut = choices.map((_, chosen) => choices.toSpliced(chosen, 1).flat());
  const known = fc.tuple(
    fc.record(fields, { requiredKeys: [...required, ...choices.flat()] }),
    fc.constantFrom(...leftOut.length === 0 ? [[]] : leftOut),
  ).map(([values, names]) => without(values, names));
  const more = schema["additionalProperties"];
  if (typeof more !== "object" || more === null) return known;
  const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
  const others = fc.dictionary(names, valuesOf(more as Schema, all), { maxKeys: 3 });
  return fc.tuple(others, known).map(([rest, own]) => ({ ...rest, ...own }));
}

function without(values: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
