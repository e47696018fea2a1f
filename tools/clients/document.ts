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
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
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
  /** An object of the fields of path and query, where it has some. */
  readonly parameters?: Schema;
  /** The name of the body's schema. */
  readonly body?: string;
  /** If true, no field is required. */
  readonly isInputOptional: boolean;
  /** If true, its field `desk` says where it runs. */
  readonly takesDesk: boolean;
  readonly answer: Answer;
}

/** `optional`: it may answer nothing too. */
export type Answer =
  | { readonly kind: "nothing" }
  | { readonly kind: "json"; readonly schema: Schema; readonly optional: boolean }
  | { readonly kind: "picture"; readonly optional: boolean };

export function readOperations(document: Document): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !isText(responses["200"]?.content ?? {}))
      .map(([method, raw]) => readOperation(document, { path, method, raw }))
  );
}

/** What only Prometheus reads. */
function isText(content: Content): boolean {
  return Object.keys(content).some((type) => type.startsWith("text/plain"));
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
  const ref = raw.requestBody?.content["application/json"]?.schema?.$ref;
  const body = ref === undefined ? undefined : componentName(ref);
  const group = raw.tags[0];
  const parameters = readParameters(raw);
  const inputs = [parameters, body === undefined ? undefined : document.components.schemas[body]];
  return {
    id: raw.operationId,
    group,
    words: methodWords(raw, { path, method, group }),
    method: method.toUpperCase() as ClientOperation["method"],
    path,
    summary: raw.summary,
    description: raw.description ?? "",
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { body }),
    isInputOptional: inputs.every((input) => (input?.required ?? []).length === 0),
    takesDesk: inputs.some((input) => input?.properties?.desk !== undefined),
    answer: readAnswer(raw),
  };
}

function readParameters({ parameters = [] }: RawOperation): Schema | undefined {
  const fields = parameters.filter((field) => field.in !== "header");
  if (fields.length === 0) return undefined;
  const properties = fields.map(({ name, schema, description }) =>
    [name, { ...schema, ...(description === undefined ? {} : { description }) }] as const
  );
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * `POST /api/mouse/left-click` is `left click` of `mouse`. A deeper path, or another method on one,
 * gets the words of its OpenAPI id: `DELETE /api/bash/process/{pid}` is `terminate process`, and
 * `GET /api/trail` is `list trail`.
 */
function methodWords(
  raw: RawOperation,
  { path, method, group }: { path: string; method: string; group: string },
): string[] {
  const parts = path.replace(/^\/(api\/)?/, "").replace(/\/\{\w+\}/g, "").split("/");
  const [name, ...deeper] = parts[0] === group ? parts.slice(1) : parts;
  const isList = name === undefined && method === "get";
  if (name === undefined && !isList) return [];
  if (isList || deeper.length > 0 || method === "delete") {
    return raw.operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" ");
  }
  return name!.split(/[-_]/);
}

function readAnswer({ responses }: RawOperation): Answer {
  const content = responses["200"]?.content;
  if (content === undefined) return { kind: "nothing" };
  const optional = "204" in responses;
  const schema = content["application/json"]?.schema;
  if (schema === undefined) return { kind: "picture", optional };
  return schema.type === "null" ? { kind: "nothing" } : { kind: "json", schema, optional };
}
