/**
 * What the HTTP interface of another project is made of: a table of routes over the operations of
 * this service, which it calls for its client. Nothing is carried out in another way, so that every
 * check, limit, redaction and switch of the operations holds for it, too.
 */

import type { Context, Hono } from "hono";
import { ServiceError } from "../core/errors.ts";
import { tryParseJson } from "../core/texts.ts";
import type { System } from "../platform/types/mod.ts";

/** The interface of one project. */
export interface Table {
  readonly addRoutes: (app: CompatApp) => void;
  /** The answer to a request that was refused or has failed, as the project's clients read it. */
  readonly fail: (failure: OperationFailure, request: Request) => Response;
}

/** What a route has for its request. */
export interface CompatBindings {
  readonly operations: Operations;
  /**
   * The JSON object of the body, whatever media type it is sent with.
   * @throws OperationFailure `invalid` (422) for anything else
   */
  // deno-lint-ignore no-explicit-any -- each route reads the fields that its client sends
  readonly readJson: () => Promise<Record<string, any>>;
  readonly service: ServiceAccess;
}

export interface CompatEnv {
  Bindings: CompatBindings;
}

export type CompatApp = Hono<CompatEnv>;
export type CompatContext = Context<CompatEnv>;

/** What routes know of the service, and how programs that it starts can call it in turn. */
export interface ServiceAccess {
  /** `http://127.0.0.1:4242` */
  readonly address: string;
  /** Of the client: by which its scripts call the service. */
  readonly token: string | undefined;
  readonly stateDir: string;
  readonly system: System;
  readonly version: string;
  /** How long one request may wait for a command. */
  readonly maxCommandSeconds: number;
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
  /**
   * The answer itself: pictures and files, streamed. A stream of JSON is a body, too.
   * @throws OperationFailure when the status is not 2xx
   */
  send(path: string, body?: object, method?: "DELETE"): Promise<Response>;
}

/** An operation that has failed; the message is its `detail`. */
export class OperationFailure extends Error {
  override readonly name = "OperationFailure";

  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** The client has sent what cannot be. */
export function invalid(message: string): OperationFailure {
  return new OperationFailure(422, "invalid", message);
}

/** Answers requests to operations of this service, behind the checks that the client has passed. */
export type AnswerOperation = (request: Request) => Promise<Response>;

/** @param outer the client's request: what is called for it ends when the client has gone */
export function operationsFor(outer: Request, answer: AnswerOperation): Operations {
  async function send(path: string, body?: object, method?: "DELETE"): Promise<Response> {
    const isSent = body === undefined || body instanceof ReadableStream;
    const response = await answer(
      new Request(`http://localhost${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { "content-type": "application/json" },
        body: isSent ? body ?? null : JSON.stringify(body),
        signal: outer.signal,
      }),
    );
    if (!response.ok) throw await readFailure(response);
    return response;
  }

  async function call(path: string, body?: object): Promise<unknown> {
    const response = await send(path, body);
    return response.status === 204 ? undefined : await response.json();
  }

  return { call, send };
}

/** Reads the error of an answer whose status is not 2xx. */
export async function readFailure(response: Response): Promise<OperationFailure> {
  // without a body the client has gone, and reads no answer
  const sent = (tryParseJson(await response.text()) ?? {}) as Record<string, unknown>;
  const { code = "internal", detail = `The operation answered ${response.status}` } = sent;
  return new OperationFailure(response.status, String(code), describeDetail(detail));
}

/** One sentence; the errors of several fields with their names. */
function describeDetail(detail: unknown): string {
  if (!Array.isArray(detail)) return String(detail);
  return detail.map(({ loc = [], msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
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
