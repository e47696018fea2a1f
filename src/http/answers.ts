/** Turns what a handler returned into a response. */

import { type Answer, Binary, WithStatus } from "../features/operation.ts";
import { Streamed } from "../features/streamed.ts";
import { bytesInPieces, streamedResponse } from "./connections/long_answers.ts";

/** JSON from this length on may take long to send. */
const LONG = 64 * 1024;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The response to a call that went well. */
export function answerWith(result: unknown, answer: Answer): Response {
  if (result instanceof WithStatus) return withStatus(result);
  if (result instanceof Streamed) return streamResponse(result);
  if (result instanceof Binary) return bytesResponse(result, 200);
  if (answer.status === 204) return emptyResponse(204);
  return jsonResponse(result, 200);
}

/** A JSON answer, good or bad. */
export function jsonResponse(
  body: unknown,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response {
  const text = JSON.stringify(body ?? null);
  const init = {
    status,
    headers: {
      "content-type": "application/json",
      ...headers,
    },
  };
  if (text.length < LONG) return new Response(text, init);
  return bytesInPieces(new TextEncoder().encode(text), init);
}

function withStatus({ status, body }: WithStatus): Response {
  if (NO_BODY.has(status)) {
    return emptyResponse(status, body instanceof Binary ? body.headers : {});
  }
  if (body instanceof Binary) return bytesResponse(body, status);
  return jsonResponse(body, status);
}

export function emptyResponse(
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(null, {
    status,
    ...(headers && { headers }),
  });
}

function bytesResponse({ bytes, headers }: Binary, status: number): Response {
  const all = {
    "x-content-type-options": "nosniff",
    ...headers,
  };
  return bytesInPieces(bytes, { status, headers: all });
}

function streamResponse({ json }: Streamed): Response {
  const headers = {
    "content-type": "application/json",
  };
  return streamedResponse(json, { status: 200, headers });
}
