/** Generates the OpenAPI 3.1 document from the list of operations. */

import { pause } from "../../core/deadline.ts";
import { EXAMPLES } from "../../features/examples.ts";
import { NAMED_SCHEMAS } from "../../features/mod.ts";
import type { Operation } from "../../features/operation.ts";
import { ERROR_BODIES } from "./error_bodies.ts";
import { withExample } from "./examples.ts";
import { COMMON_HEADERS, describeResponses, JSON_TYPE } from "./responses.ts";
import { type Schema, SchemaBook } from "./schemas.ts";

export interface DocumentOptions {
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
  clipboard: "Read what programs have copied, and put something there to be pasted.",
  accessibility: "See the elements that programs show, and act on them.",
  window: "List windows, bring them to the front, move, resize, close and open them.",
  recording: "Record what a display shows as a video.",
  editor: "View and change text files.",
  filesystem: "Search, list, read and change files and folders.",
  bash: "Run shell commands and follow background processes.",
  keychain: "Store credentials, check them and fill them in.",
  browser: "Control a web browser from inside: tabs, pages as text with refs, forms.",
  batch: "Run several operations with one request.",
  agents: "Actions as the models of several vendors write them.",
  system: "Get the state of the service, and release everything.",
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
    const document = made.get(named) ?? openApiDocument(all, { ...options, base });
    made.set(named, document);
    return { ...await document, servers: listServers(base) };
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
    const description = describeOperation(operation, book, options);
    path[operation.method.toLowerCase()] = withExample(description, EXAMPLES[operation.id]);
    await pause(0); // lets other tasks run
  }
  const groups = new Set(operations.map((operation) => operation.group));
  return {
    openapi: "3.1.0",
    info: {
      title: "Computer Control Service",
      version: options.version,
      description: "Controls a computer: its display, mouse, keyboard, files, shell and keychain.",
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
      },
    },
    security: [{}, { bearer: [] }],
  };
}

function listServers(base: string): object[] {
  return [{ url: base || "/" }];
}

function describeOperation(
  operation: Operation,
  book: SchemaBook,
  { ignoresUnknown = false }: DocumentOptions,
): object {
  const isOpen = ignoresUnknown && !operation.runsOthers;
  const parameters = [
    ...describeParameters(operation.params, "path", book),
    ...describeParameters(operation.query, "query", book),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation, book, isOpen) }),
    responses: describeResponses(operation, book, isOpen),
  };
}

function describeBody(operation: Operation, book: SchemaBook, isOpen: boolean): object {
  const name = `${capital(operation.id)}Request`;
  const schema = book.add(name, operation.body!, { isOpen });
  return { required: true, content: { [JSON_TYPE]: { schema } } };
}

function describeParameters(
  schema: Operation["query"],
  place: "path" | "query",
  book: SchemaBook,
): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = book.describe(schema, "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Schema;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
