/**
 * What the HTTP interface of another project is made of: a table of routes over the operations of
 * this service, which it calls for its client. Nothing is carried out in another way, so that every
 * check, limit, redaction and switch of the operations holds for it, too.
 */

import type { Context, Hono } from "hono";
import { ServiceError } from "../core/errors.ts";

export interface CompatEnv {
  Bindings: {
    readonly operations: Operations;
    /**
     * The JSON object of the body, whatever media type it is sent with.
     * @throws OperationFailure `invalid` (422) for anything else
     */
    // deno-lint-ignore no-explicit-any -- each route reads the fields that its client sends
    readonly readJson: () => Promise<Record<string, any>>;
    readonly service: ServiceAccess;
  };
}

export type CompatApp = Hono<CompatEnv>;
export type CompatContext = Context<CompatEnv>;

/** How programs that the service starts can call it in turn. */
export interface ServiceAccess {
  /** `http://127.0.0.1:4242` */
  readonly address: string;
  readonly token: string | undefined;
  readonly stateDir: string;
}

/** Calls operations of this service for the client of one request, one after the other. */
export interface Operations {
  /**
   * The JSON of the answer; `undefined` for 204. A GET without a body, a POST with one.
   * @param path as "/api/mouse/move"
   * @throws OperationFailure when the status is not 2xx
   */
  // deno-lint-ignore no-explicit-any -- each route knows the answers of what it calls
  call(path: string, body?: object): Promise<any>;
  /** The answer itself, whatever its status: pictures and files, streamed, with their ranges. */
  send(path: string, init?: OperationInit): Promise<Response>;
}

export interface OperationInit {
  /** By default GET without a body, and POST with one. */
  readonly method?: string;
  /** A plain object is sent as JSON, which is what operations take. */
  readonly body?: BodyInit | object;
  readonly headers?: HeadersInit;
}

/** An operation that has failed; the message is its `detail`. */
export class OperationFailure extends Error {
  override readonly name = "OperationFailure";

  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** Answers requests to operations of this service, behind the checks that the client has passed. */
export type AnswerOperation = (request: Request) => Promise<Response>;

/** @param outer the client's request: what is called for it ends when the client has gone */
export function operationsFor(outer: Request, answer: AnswerOperation): Operations {
  async function send(path: string, init: OperationInit = {}): Promise<Response> {
    const { body } = init;
    const headers = new Headers(init.headers);
    const isJson = body !== undefined && isPlain(body);
    if (isJson) headers.set("content-type", "application/json");
    return await answer(
      new Request(`http://localhost${path}`, {
        method: init.method ?? (body === undefined ? "GET" : "POST"),
        headers,
        body: isJson ? JSON.stringify(body) : body as BodyInit ?? null,
        signal: outer.signal,
      }),
    );
  }

  async function call(path: string, body?: object): Promise<unknown> {
    const response = await send(path, body === undefined ? {} : { body });
    if (!response.ok) throw await readFailure(response);
    return response.status === 204 ? undefined : await response.json();
  }

  return { call, send };
}

/** Reads the error of an answer whose status is not 2xx. */
export async function readFailure(response: Response): Promise<OperationFailure> {
  const text = await response.text();
  let sent: { readonly detail?: unknown; readonly code?: unknown } = {};
  try {
    sent = JSON.parse(text) ?? {};
  } catch {
    // no body: the client has gone, and reads no answer
  }
  const { code = "internal", detail = `The operation answered ${response.status}` } = sent;
  return new OperationFailure(response.status, String(code), describeDetail(detail));
}

/** Lets {@link OperationFailure} stand for every refusal that is meant for the client. */
export async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new OperationFailure(error.status, error.code, error.message);
  }
}

/** One sentence; the errors of several fields with their names. */
function describeDetail(detail: unknown): string {
  if (!Array.isArray(detail)) return String(detail);
  return detail.map(({ loc = [], msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}

function isPlain(body: object | string): boolean {
  if (typeof body === "string") return false;
  const prototype = Object.getPrototypeOf(body);
  return Array.isArray(body) || prototype === Object.prototype || prototype === null;
}
