/** Turns the result of a handler, or what it throws, into a response. */

import {
  type ErrorCode,
  InputError,
  MEANINGS,
  ServiceError,
  shortageError,
  Stopping,
  type ValidationError,
} from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Answer, DetailedResult, OneOf, Operation } from "../features/operation.ts";
import { Streamed } from "../features/streamed.ts";
import { bytesInPieces, streamedResponse, textInPieces } from "./connections/long_answers.ts";
import { Refusal } from "./origins.ts";

/** JSON of at least this length may take long to send. */
const LONG = 256 * 1024;

const JSON_HEADERS = { "content-type": "application/json" };

type Headers = Readonly<Record<string, string>>;

/** The response to a successful call. */
export function answerWith(result: unknown, answer: Answer | OneOf): Response {
  if ("oneOf" in answer) return respondNamed(result as DetailedResult, answer);
  if (result instanceof Streamed) return streamedResponse(result.json, { headers: JSON_HEADERS });
  if ("schema" in answer) return jsonResponse(result, answer.status);
  if ("mediaTypes" in answer) return fileResponse(result as DetailedResult, answer.status);
  return emptyResponse(answer.status);
}

/** A JSON answer, for success or failure. */
export function jsonResponse(body: unknown, status: number, headers?: Headers): Response {
  const text = JSON.stringify(body ?? null);
  const init = { status, headers: { ...JSON_HEADERS, ...headers } };
  if (text.length < LONG) return new Response(text, init);
  return textInPieces(text, init);
}

export function emptyResponse(status: number, headers?: Headers): Response {
  return new Response(null, { status, ...(headers && { headers }) });
}

function respondNamed(result: DetailedResult, { oneOf }: OneOf): Response {
  const answer = oneOf[result.outcome];
  if (answer === undefined) throw new TypeError(`There is no answer "${result.outcome}"`);
  if ("schema" in answer) return jsonResponse(result.body, answer.status, result.headers);
  if ("mediaTypes" in answer) return fileResponse(result, answer.status);
  return emptyResponse(answer.status, result.headers);
}

function fileResponse(
  { mediaType, bytes, file, headers }: DetailedResult,
  status: number,
): Response {
  const all = { "content-type": mediaType!, "x-content-type-options": "nosniff", ...headers };
  if (file === undefined) return bytesInPieces(bytes!, { status, headers: all });
  const length = file.length === undefined ? {} : { "content-length": String(file.length) };
  return streamedResponse(file.stream, { status, headers: { ...all, ...length } });
}

// Turns anything thrown by a request into its response, and logs it where the service has failed.
// Crashes of calls by name (of a batch, MCP or a vendor's action) are logged by
// `features/call/callables.ts`.

/** Retry delay, in seconds, for statuses that mean "try again later". */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: "1", 503: "1" };

/** What the log may contain about a request: no body, query or headers. */
interface Failed {
  readonly requestId: string;
  /** The operation or page that failed. */
  readonly what: string;
  readonly log: Pick<Log, "error">;
}

export function failureResponse(error: unknown, failed: Failed): Response {
  if (error instanceof InputError) {
    return jsonResponse(errorBody("invalid", error.errors, failed.requestId), 422);
  }
  if (!(error instanceof ServiceError) || error.code === "internal") {
    const shortage = shortageError(error);
    return shortage === undefined ? ourBug(error, failed) : failureResponse(shortage, failed);
  }
  const { status } = error;
  if (status >= 500 && !(error instanceof Stopping)) {
    const { requestId: request, what, log } = failed;
    log.error("request failed", { request, what, status, reason: error.message });
  }
  const later = RETRY_AFTER[status];
  return jsonResponse(errorBody(error.code, error.message, failed.requestId), status, {
    ...(later === undefined ? {} : { "retry-after": later }),
    ...(error instanceof Refusal ? error.headers : {}),
  });
}

/** The body of every error, in the order in which people read it. */
export function errorBody(
  code: ErrorCode,
  detail: string | readonly ValidationError[],
  requestId: string,
): object {
  return { detail, code, request_id: requestId };
}

function ourBug(error: unknown, { requestId, what, log }: Failed): Response {
  const fields = { request: requestId, what, status: 500, error: describe(error) };
  log.error("request crashed", fields);
  const detail = `Internal error: see the log of the service for request "${requestId}"`;
  return jsonResponse(errorBody("internal", detail, requestId), 500);
}

/** The stack of the error and of its causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}

/** Error codes, each with a description of the cases. */
type ErrorCases = Readonly<Partial<Record<ErrorCode, string>>>;

const ALWAYS: ErrorCases = {
  forbidden:
    "The request has a foreign Host or Origin, its group is disabled, its token lacks the scope, a " +
    "person has refused it, or it would change something while the service is read-only.",
  locked: MEANINGS.locked,
  internal: MEANINGS.internal,
  unavailable: "The service is starting or stopping, or has too many connections.",
};
const WITH_BODY: ErrorCases = {
  request_timeout: "The request body did not arrive in time.",
  too_large: "The request body is too large.",
};

const WITH_KEY: ErrorCases = {
  conflict: "The first request with this `Idempotency-Key` is running, or its answer is not kept.",
  too_many_requests: "Too many keys were used within ten minutes.",
};

/** The errors with which the HTTP layer itself may answer a request for an operation. */
export function listCommonErrors({ path, body, unnamed, readOnly }: Operation): ErrorCases {
  return {
    ...ALWAYS,
    ...(path === "/healthz" ? {} : { unauthorized: MEANINGS.unauthorized }),
    ...(body === undefined ? {} : WITH_BODY),
    ...(readOnly ? {} : WITH_KEY),
    ...(unnamed ? {} : { invalid: MEANINGS.invalid }),
  };
}
