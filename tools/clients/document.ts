/** The OpenAPI document, read as what a client needs of it. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema };
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description: string;
}

/** An operation as a client's method. */
export interface ClientOperation {
  /** The OpenAPI id. */
  readonly id: string;
  readonly group: string;
  /** Words of the method's name, in lower case: `["left", "click"]`. Empty for `POST /api/batch`. */
  readonly words: readonly string[];
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Those of path, query and body; the required ones first. */
  readonly fields: readonly Field[];
  /** The name of the body's schema. */
  readonly body?: string;
  readonly answer: Answer;
}

export type Answer =
  | { readonly kind: "nothing" }
  | { readonly kind: "json"; readonly schema: Schema }
  /** `optional`: it may answer nothing too. */
  | { readonly kind: "picture"; readonly optional: boolean };

export function readOperations(document: Document): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => readOperation(document, { path, method, raw }))
  );
}

/** The document without what a client's types do not need: refusals, headers and examples. */
export function withoutErrors(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, raw]) => {
        const successes = Object.entries(raw.responses).filter(([status]) =>
          status.startsWith("2")
        );
        return [method, { ...raw, responses: Object.fromEntries(successes) }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

export function componentName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly raw: RawOperation;
}

function readOperation(document: Document, { path, method, raw }: Found): ClientOperation {
  const body = raw.requestBody?.content["application/json"]?.schema?.$ref;
  const group = raw.tags[0];
  const fields = [
    ...(raw.parameters ?? []).filter((field) => field.in !== "header").map((field) => ({
      name: field.name,
      schema: field.schema,
      required: field.required ?? false,
      description: field.description ?? "",
    })),
    ...body === undefined ? [] : readFields(document.components.schemas[componentName(body)]!),
  ];
  return {
    id: raw.operationId,
    group,
    words: methodWords(raw, { path, method, group }),
    method: method.toUpperCase() as ClientOperation["method"],
    path,
    summary: raw.summary,
    description: raw.description ?? "",
    fields: [...fields.filter((f) => f.required), ...fields.filter((f) => !f.required)],
    ...(body === undefined ? {} : { body: componentName(body) }),
    answer: readAnswer(raw),
  };
}

function readFields({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? "",
  }));
}

/**
 * `POST /api/mouse/left-click` is `left click` of `mouse`. A deeper path, or another method on one,
 * gets the words of its OpenAPI id: `DELETE /api/bash/process/{pid}` is `terminate process`.
 */
function methodWords(
  raw: RawOperation,
  { path, method, group }: { path: string; method: string; group: string },
): string[] {
  const parts = path.replace(/^\/(api\/)?/, "").replace(/\/\{\w+\}/g, "").split("/");
  const [name, ...deeper] = parts[0] === group ? parts.slice(1) : parts;
  if (name === undefined) return [];
  if (deeper.length > 0 || method === "delete") {
    return raw.operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" ");
  }
  return name.split(/[-_]/);
}

function readAnswer({ responses }: RawOperation): Answer {
  const content = responses["200"]?.content;
  if (content === undefined) return { kind: "nothing" };
  const schema = content["application/json"]?.schema;
  if (schema === undefined) return { kind: "picture", optional: "204" in responses };
  if ("204" in responses) return { kind: "json", schema: { anyOf: [schema, { type: "null" }] } };
  return schema.type === "null" ? { kind: "nothing" } : { kind: "json", schema };
}
