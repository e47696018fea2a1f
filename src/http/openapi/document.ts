/** Generates the OpenAPI 3.1 document from the list of operations. */

import { z } from "zod";
import { pause } from "../../core/deadline.ts";
import { type ErrorCode, MEANINGS, STATUS } from "../../core/errors.ts";
import { ElementNode } from "../../features/accessibility/fields.ts";
import { type Example, EXAMPLES } from "../../features/examples.ts";
import { Entry } from "../../features/filesystem/entry.ts";
import { TreeNode } from "../../features/filesystem/operations.ts";
import { Effect } from "../../features/input/effect.ts";
import { type Answer, listAnswers, type Operation } from "../../features/operation.ts";
import { WindowEntry } from "../../features/window/window_answer.ts";
import { listCommonErrors } from "../answers.ts";

/** Schemas with names of their own, which others refer to by name. */
const NAMED_SCHEMAS = {
  FilesystemEntry: Entry,
  DirectoryTreeNode: TreeNode,
  InputEffect: Effect,
  AccessibleElement: ElementNode,
  WindowEntry,
};

interface DocumentOptions {
  readonly version: string;
  /** The computer's path prefix, `/desk-1`, or empty. */
  readonly base: string;
  /** Whether the service ignores fields that an operation does not know. */
  readonly ignoresUnknown?: boolean;
}

const TAGS: Readonly<Record<Operation["group"], string>> = {
  display: "Read the screen.",
  mouse: "Move the cursor, click, drag, scroll.",
  keyboard: "Type text, press keys and combinations.",
  clipboard: "Read, set and clear the clipboard.",
  accessibility: "Read the elements of programs, and act on them.",
  window: "List windows, bring them to the front, move, resize, close and open them.",
  recording: "Record what a display shows as a video.",
  editor: "View and change text files.",
  filesystem: "Search, list, read and change files and folders.",
  bash: "Run shell commands and follow background processes.",
  keychain: "Store credentials, check them and fill them in.",
  browser: "Control a web browser from inside: tabs, pages as text with refs, forms.",
  batch: "Run several operations with one request.",
  agents: "Perform actions in the formats of several vendors' models.",
  desk: "Desks: desktops of their own, for several agents.",
  control: "See who may act, ask for a person, pause all programs, act alone for a time.",
  trail: "List and follow what all callers do; record it as steps to look at and to do again.",
  system: "Get the state of the service; release all keys and buttons.",
};

/**
 * The documents of one service: the slow part is computed once for all names.
 * @returns a function that gives the document for a path prefix, `/desk-1` or empty.
 */
export function openApiDocuments(
  all: readonly Operation[],
  options: Omit<DocumentOptions, "base">,
): (base: string) => Promise<object> {
  const made = new Map<boolean, Promise<object>>();
  return async (base) => {
    const named = base !== "";
    const make = () => openApiDocument(all, { ...options, base });
    return { ...await made.getOrInsertComputed(named, make), servers: listServers(base) };
  };
}

/**
 * The document. Under a computer's name it lists the `servers` for that name, and only what exists
 * there. It is generated operation by operation, so that it delays no other request.
 */
export async function openApiDocument(
  all: readonly Operation[],
  options: DocumentOptions,
): Promise<object> {
  const operations = options.base === "" ? all : all.filter((operation) => !operation.unnamed);
  const book = new SchemaBook({ ...NAMED_SCHEMAS, ...ERROR_BODIES });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ??= {};
    await pause(0); // lets other tasks run; the named schemas took their time before the first one
    path[operation.method.toLowerCase()] = await describeOperation(operation, book, options);
  }
  const groups = new Set(operations.map((operation) => operation.group));
  return {
    openapi: "3.1.0",
    info: {
      title: "Computer Control Service",
      version: options.version,
      description: [
        "Controls a computer: its display, mouse, keyboard, files, shell and keychain.",
        "Answers have the header `X-Request-Id`. The header `X-Redaction-Gap` says that stored values may appear in the answer, and why: text that is percent-encoded.",
      ].join(" "),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: listServers(options.base),
    tags: [...groups].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: book.schemas,
      ...(options.ignoresUnknown && { headers: COMMON_HEADERS }),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "Needed only if the service was started with a token.",
        },
        header: {
          type: "apiKey",
          in: "header",
          name: "X-Computer-Control-Token",
          description: "The same token, where a proxy keeps `Authorization` for itself.",
        },
      },
    },
    security: [{}, { bearer: [] }, { header: [] }],
  };
}

function listServers(base: string): object[] {
  return [{ url: base || "/" }];
}

async function describeOperation(
  operation: Operation,
  book: SchemaBook,
  { ignoresUnknown = false }: DocumentOptions,
): Promise<object> {
  const parts = {
    book,
    isOpen: ignoresUnknown && !operation.runsOthers,
    example: EXAMPLES[operation.id] ?? {},
  };
  const parameters = [
    ...describeParameters(operation.params, "path", parts),
    ...describeParameters(operation.query, "query", parts),
    ...(operation.readOnly ? [] : [IDEMPOTENCY_KEY]),
  ];
  const requestBody = operation.body && describeBody(operation, parts);
  await pause(0); // some bodies take as long as ten operations
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: describeResponses(operation, parts),
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Any text that no other request has. A request that is sent again with its key within ten minutes gets the first answer, with `Idempotent-Replayed: true`, and does nothing.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** What the parts of a description are made with. */
interface Parts {
  readonly book: SchemaBook;
  /** Whether unknown fields are ignored. */
  readonly isOpen: boolean;
  readonly example: Example;
}

function describeBody(operation: Operation, { book, isOpen, example }: Parts): object {
  const { id } = operation;
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;
  const schema = book.add(name, operation.body!, { isOpen });
  return { required: true, ...jsonContent(schema, example.body) };
}

function describeParameters(
  schema: Operation["query"],
  location: "path" | "query",
  { book, example }: Parts,
): object[] {
  if (schema === undefined) return [];
  const examples = (location === "path" ? example.params : example.query) ?? {};
  const { properties = {}, required = [] } = book.describe(schema, "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Schema;
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(name in examples && { example: examples[name] }),
    };
  });
}

// The bodies of error answers, in the form that clients of this interface know.

const ValidationError = z.object({
  loc: z.array(z.union([z.string(), z.int()])).meta({
    title: "Location",
    description:
      "The location of the error: `body`, `query`, `path` or `header`, then the field, then indexes.",
    examples: [["body", "x"]],
  }),
  msg: z.string().meta({ title: "Message", examples: ["Field required"] }),
  type: z.string().meta({ title: "Error Type", examples: ["missing"] }),
}).meta({ title: "ValidationError" });

const RequestId = z.string().meta({
  description: "The id of the request in the log of the service; the same as in `X-Request-Id`.",
  examples: ["5d1c2a90-17"],
});

const CODES = Object.keys(MEANINGS).filter((code) => code !== "invalid") as ErrorCode[];

const HTTPValidationError = z.object({
  detail: z.array(ValidationError).meta({ title: "Detail" }).optional(),
  code: z.literal("invalid").meta({ description: "The error code." }),
  request_id: RequestId,
}).meta({ title: "HTTPValidationError" });

const ErrorBody = z.object({
  detail: z.string().meta({
    description: "One sentence about what is wrong, and what to do about it.",
    examples: ['Cannot open display 7: no X server answers at ":7"'],
  }),
  code: z.enum(CODES).meta({
    description: [
      "The error code.",
      ...CODES.map((code) => `\`${code}\`: ${MEANINGS[code]}`),
    ].join(" "),
    examples: ["unavailable"],
  }),
  request_id: RequestId,
}).meta({ title: "Error" });

const ERROR_BODIES = { HTTPValidationError, ValidationError, Error: ErrorBody };

// The responses of an operation in the OpenAPI document, generated from its declared outcomes.

const JSON_TYPE = "application/json";

/** The responses by status. */
function describeResponses(operation: Operation, parts: Parts): object {
  const answers = listAnswers(operation.answer);
  const responses: Record<string, object> = {};
  for (const answer of answers) {
    responses[answer.status] = describeAnswer(answer, parts);
  }
  for (const [status, cases] of groupErrors(operation)) {
    responses[status] = describeError(Number(status), {
      cases,
      answer: answers.find((answer) => answer.status === Number(status)),
      book: parts.book,
    });
  }
  responses["default"] = {
    description: "The request failed for another reason.",
    ...jsonContent(referTo("Error")),
  };
  return responses;
}

/** The headers that any answer may have. */
const COMMON_HEADERS = {
  IgnoredFields: {
    description:
      "The fields of the request that were ignored, because the operation does not have them: names separated by commas, nested ones with dots, `...` if there are more.",
    schema: { type: "string" },
  },
};
const IGNORED_FIELDS = { "X-Ignored-Fields": { $ref: "#/components/headers/IgnoredFields" } };

function describeAnswer(answer: Answer, { book, isOpen, example }: Parts): object {
  const { description } = answer;
  const headers = { ...describeHeaders(answer.headers ?? {}), ...(isOpen ? IGNORED_FIELDS : {}) };
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...describeContent(answer, book, answer.status === 200 ? example.answer : undefined),
  };
}

function describeHeaders(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

function describeContent(answer: Answer, book: SchemaBook, example: unknown): object {
  if ("schema" in answer) return jsonContent(book.describe(answer.schema, "output"), example);
  if (!("mediaTypes" in answer)) return {};
  const file = { schema: { type: "string", format: "binary" } };
  return { content: Object.fromEntries(answer.mediaTypes.map((type) => [type, file])) };
}

/** The cases for each status, those of the operation first. */
function groupErrors(operation: Operation): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const errors of [operation.errors ?? {}, listCommonErrors(operation)]) {
    for (const [code, text] of Object.entries(errors)) {
      const status = String(STATUS[code as ErrorCode]);
      groups.set(status, [...groups.get(status) ?? [], text]);
    }
  }
  return groups;
}

interface ErrorParts {
  readonly cases: readonly string[];
  /** The declared answer with the same status. */
  readonly answer: Answer | undefined;
  readonly book: SchemaBook;
}

function describeError(status: number, { cases, answer, book }: ErrorParts): object {
  const error = referTo(status === STATUS.invalid ? "HTTPValidationError" : "Error");
  if (answer === undefined || !("schema" in answer)) {
    return { description: cases.join(" "), ...jsonContent(error) };
  }
  return {
    description: [answer.description, ...cases].join(" "),
    ...jsonContent({ anyOf: [book.describe(answer.schema, "output"), error] }),
  };
}

function jsonContent(schema: Schema, example?: unknown): object {
  const json = { schema, ...(example === undefined ? {} : { example }) };
  return { content: { [JSON_TYPE]: json } };
}

// JSON schemas of the OpenAPI document: zod's own, with references to named schemas.

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The name of a schema during its conversion. */
const OWN = "OWN";

/** The schemas of one document. */
class SchemaBook {
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

function referTo(name: string): Schema {
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
