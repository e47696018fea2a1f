/** Makes the OpenAPI 3.1 document from the list of operations. */

import type { Answer, Operation } from "../features/operation.ts";
import { EXAMPLES } from "../features/examples.ts";
import { withExample } from "./openapi_examples.ts";
import { ERROR_SCHEMAS, reference, type Schema, SchemaBook } from "./openapi_schemas.ts";

export interface DocumentOptions {
  readonly version: string;
  /** The path of the computer, `/desk-1`, or empty. */
  readonly base: string;
}

const JSON_TYPE = "application/json";

const TAGS: Readonly<Record<Operation["group"], string>> = {
  display: "Read the screen.",
  mouse: "Move the cursor, click, drag, scroll.",
  keyboard: "Type text, press keys and combinations.",
  editor: "View and change text files.",
  filesystem: "Search, list, read and change files and folders.",
  bash: "Run shell commands and follow background processes.",
  keychain: "Store credentials, check them and fill them in.",
  system: "State of the service, and the way to stop everything.",
};

/**
 * The documents of one service: what takes long is made once, whatever name they are asked for under.
 * @returns the document for a path of the computer, `/desk-1` or empty.
 */
export function openApiDocuments(
  all: readonly Operation[],
  version: string,
): (base: string) => Promise<object> {
  const made = new Map<boolean, Promise<object>>();
  return async (base) => {
    const named = base !== "";
    const document = made.get(named) ?? openApiDocument(all, { version, base });
    made.set(named, document);
    return { ...await document, servers: serversOf(base) };
  };
}

/**
 * The document; under a computer's name it has the `servers` for it, and only what exists there. It is
 * made operation by operation, so that it holds up no other request.
 */
export async function openApiDocument(
  all: readonly Operation[],
  options: DocumentOptions,
): Promise<object> {
  const operations = options.base === "" ? all : all.filter((operation) => !operation.unnamed);
  const book = new SchemaBook();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ??= {};
    const description = describeOperation(operation, book);
    path[operation.method.toLowerCase()] = withExample(description, EXAMPLES[operation.id]);
    await new Promise((resolve) => setTimeout(resolve));
  }
  const groups = new Set(operations.map((operation) => operation.group));
  return {
    openapi: "3.1.0",
    info: {
      title: "Computer Control Service",
      version: options.version,
      description: "Controls a computer: display, mouse, keyboard and more.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: serversOf(options.base),
    tags: [...groups].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: { ...book.schemas, ...ERROR_SCHEMAS },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "Only where the service was started with a token.",
        },
      },
    },
    security: [{}, { bearer: [] }],
  };
}

function serversOf(base: string): object[] {
  return [{ url: base || "/" }];
}

function describeOperation(operation: Operation, book: SchemaBook): object {
  const parameters = [
    ...parametersOf(operation.params, "path", book),
    ...parametersOf(operation.query, "query", book),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: bodyOf(operation, book) }),
    responses: responsesOf(operation, book),
  };
}

function bodyOf(operation: Operation, book: SchemaBook): object {
  const name = `${capital(operation.id)}Request`;
  const schema = book.add(name, operation.body!);
  return { required: true, content: { [JSON_TYPE]: { schema } } };
}

function parametersOf(
  schema: Operation["query"],
  place: "path" | "query",
  book: SchemaBook,
): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = book.inline(schema, "input");
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

function responsesOf(operation: Operation, book: SchemaBook): object {
  const { answer } = operation;
  const responses: Record<string, object> = { [answer.status]: successOf(answer, book) };
  for (const [status, description] of Object.entries(operation.also ?? {})) {
    responses[status] = { description };
  }
  const headers = headersOf(operation);
  for (const [status, response] of Object.entries(responses)) {
    responses[status] = { ...response, ...headers };
  }
  for (const [status, description] of Object.entries(errorsOf(operation))) {
    responses[status] = { description, ...jsonContent(reference("Error")) };
  }
  if (!operation.unnamed) {
    responses["422"] = {
      description: "Validation error",
      ...jsonContent(reference("HTTPValidationError")),
    };
  }
  responses["default"] = { description: "Any other error", ...jsonContent(reference("Error")) };
  return responses;
}

const GUARDED = {
  401: "The token is missing or wrong, where the service was started with one",
  403:
    "Refused: a foreign host or page, a group that is switched off, or a change with --read-only",
  503: "The service is starting, or has too many connections",
};
const WITH_BODY = {
  408: "The body did not arrive in time",
  413: "The body is too large",
};

/** The statuses that any operation can answer with, and its own; a status that is both says both. */
function errorsOf(operation: Operation): Readonly<Record<string, string>> {
  const { 401: _needsToken, ...health } = GUARDED;
  const common: Readonly<Record<string, string>> = {
    ...(operation.path === "/healthz" ? health : GUARDED),
    ...(operation.body === undefined ? {} : WITH_BODY),
    500: "A bug of the service: its log says more under the request id",
  };
  const own: Readonly<Record<string, string>> = operation.errors ?? {};
  const statuses = new Set([...Object.keys(common), ...Object.keys(own)]);
  return Object.fromEntries([...statuses].map((status) => {
    return [status, [own[status], common[status]].filter((text) => text !== undefined).join(". ")];
  }));
}

function headersOf({ headers }: Operation): object {
  if (headers === undefined) return {};
  const described = Object.entries(headers)
    .map(([name, description]) => [name, { description, schema: { type: "string" } }]);
  return { headers: Object.fromEntries(described) };
}

function successOf(answer: Answer, book: SchemaBook): object {
  const { description } = answer;
  if ("schema" in answer) {
    return { description, ...jsonContent(book.inline(answer.schema, "output")) };
  }
  if (!("mediaTypes" in answer)) return { description };
  const schema = { type: "string", format: "binary" };
  const content = Object.fromEntries(answer.mediaTypes.map((type) => [type, { schema }]));
  return { description, content };
}

function jsonContent(schema: object): object {
  return { content: { [JSON_TYPE]: { schema } } };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
