/** Requests for every operation of an OpenAPI document: as it says, nearly as it says, and hostile. */

import fc from "fast-check";
import { resolve, type Schema, type Schemas, valuesOf } from "./schemas.ts";

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  // deno-lint-ignore no-explicit-any -- an OpenAPI document
  readonly responses: Readonly<Record<string, any>>;
}

export interface FuzzRequest {
  readonly kind: "fitting" | "near" | "hostile";
  readonly operation: Operation;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Body and parameters as values, where they are to be judged by their schemas. */
  readonly input?: {
    readonly body: unknown;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

const JSON_TYPE = { "content-type": "application/json" };

// deno-lint-ignore no-explicit-any -- an OpenAPI document
export function operationsOf(document: any): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    // deno-lint-ignore no-explicit-any -- the same
    Object.entries(methods as Record<string, any>).map(([method, one]) => ({
      id: one.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (one.parameters ?? []).filter((each: Parameter) => each.in !== "header"),
      body: one.requestBody?.content["application/json"].schema,
      responses: one.responses,
    }))
  );
}

/** Requests of all kinds for one operation. */
export function requestsOf(operation: Operation, schemas: Schemas): fc.Arbitrary<FuzzRequest> {
  const fitting = fittingRequests(operation, schemas);
  return fc.oneof(
    { weight: 5, arbitrary: fitting },
    {
      weight: 4,
      arbitrary: fc.tuple(fitting, mutations()).map(([one, change]) => near(one, change)),
    },
    { weight: 2, arbitrary: fc.tuple(fitting, hostilities()).map(([one, change]) => change(one)) },
  );
}

function fittingRequests(operation: Operation, schemas: Schemas): fc.Arbitrary<FuzzRequest> {
  const body = operation.body === undefined
    ? fc.constant(undefined)
    : valuesOf(resolve(operation.body, schemas), schemas);
  const required = operation.parameters.filter((one) => one.required).map((one) => one.name);
  const parameters = fc.record(
    Object.fromEntries(
      operation.parameters.map((one) => [one.name, valuesOf(one.schema, schemas)]),
    ),
    { requiredKeys: required },
  );
  // most requests would reach nothing but a desk that does not exist
  const desk = fc.nat(9).map((number) => number === 0 ? DESK : undefined);
  return fc.tuple(body, parameters, desk).map(([body, parameters, desk]) =>
    requestOf(operation, onDesk(body, desk), onDesk(parameters, desk))
  );
}

/** The name of the desk that there is. */
export const DESK = "fuzzed";

/** The same fields with this desk, or none, where they name one. */
function onDesk<Fields>(fields: Fields, desk: string | undefined): Fields {
  if (typeof fields !== "object" || fields === null || !("desk" in fields)) return fields;
  const { desk: _, ...others } = fields;
  return { ...others, ...(desk !== undefined && { desk }) } as Fields;
}

function requestOf(
  operation: Operation,
  body: unknown,
  parameters: Readonly<Record<string, unknown>>,
): FuzzRequest {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters) {
    if (!(name in parameters)) continue;
    const text = String(parameters[name]);
    if (place === "query") query.set(name, text);
    else path = path.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()));
  }
  const search = query.size === 0 ? "" : `?${query}`;
  return {
    kind: "fitting",
    operation,
    method: operation.method,
    target: `${path}${search}`,
    headers: body === undefined ? {} : JSON_TYPE,
    body: body === undefined ? undefined : JSON.stringify(body),
    input: { body, parameters },
  };
}

const STRANGE = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    0.5,
    -0,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    1e308,
    "",
    "\0",
    "\ud800",
  ],
  ...["a".repeat(10_000), [], {}, [[]], [null], { a: 1 }, "1", "true", "../../..", "\u202e", "%00"],
];

interface Mutation {
  readonly place: number;
  readonly value: unknown;
  readonly removes: boolean;
}

function mutations(): fc.Arbitrary<Mutation> {
  return fc.record({
    place: fc.nat(20),
    value: fc.oneof(fc.constantFrom(...STRANGE), fc.jsonValue({ maxDepth: 2 })),
    removes: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  });
}

/** One field or parameter is something else, or is missing. */
function near(request: FuzzRequest, { place, value, removes }: Mutation): FuzzRequest {
  const { body, parameters } = request.input!;
  const changed = { ...parameters };
  let changedBody = body;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    changedBody = replaced(body as Record<string, unknown>, { place, value, removes });
  } else {
    const names = Object.keys(changed);
    const name = names[place % Math.max(1, names.length)];
    if (name !== undefined) changed[name] = typeof value === "object" ? "x" : value;
  }
  const { input: _judged, ...made } = requestOf(request.operation, changedBody, changed);
  return { ...made, kind: "near" };
}

function replaced(body: Record<string, unknown>, { place, value, removes }: Mutation): unknown {
  const names = Object.keys(body);
  const name = names[place % (names.length + 1)] ?? "unknown";
  const { [name]: _old, ...rest } = body;
  return removes ? rest : { ...rest, [name]: value };
}

type Change = (request: FuzzRequest) => FuzzRequest;

function hostilities(): fc.Arbitrary<Change> {
  const to = (change: (request: FuzzRequest) => Partial<FuzzRequest>): Change => (request) => {
    const { input: _judged, ...rest } = request;
    return { ...rest, kind: "hostile", ...change(request) };
  };
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    fc.constantFrom("", "null", "[]", "{", '{"a":', "[".repeat(50_000), '"\\ud800"', "1e999"),
    fc.json(),
    fc.string({ unit: "binary" }).map((text) => `{"__proto__":${JSON.stringify(text)}}`),
  );
  const segment = fc.constantFrom(
    "..",
    "%2e%2e",
    "%00",
    "%",
    "%ff",
    "~",
    "//",
    "é",
    "a".repeat(5_000),
  );
  return fc.oneof(
    bodies.map((body) => to(({ method }) => method === "GET" ? {} : { headers: JSON_TYPE, body })),
    fc.constantFrom("text/plain", "application/xml", "application/json;charset=utf-16", "x")
      .map((type) =>
        to(({ body }) => body === undefined ? {} : { headers: { "content-type": type } })
      ),
    fc.constantFrom("PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "GET")
      .map((method) => to(() => ({ method, body: undefined, headers: {} }))),
    segment.map((part) => to(({ target }) => ({ target: `${target.split("?")[0]}/${part}` }))),
    fc.string({ maxLength: 60 }).map((text) =>
      to(({ target }) => ({ target: `${target.split("?")[0]}?${text.replace(/[^!-~]|#/g, "+")}` }))
    ),
    fc.constantFrom<Record<string, string>>(
      { origin: "http://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "if-none-match": '*, "a' },
      { "x-request-id": "a b" },
    ).map((headers) => to((request) => ({ headers: { ...request.headers, ...headers } }))),
  );
}
