/** Turns what a handler returned into a response. */

import { type Answer, Binary, WithStatus } from "../features/operation.ts";
import { markLong } from "./connections/long_answers.ts";
import { Streamed } from "../features/streamed.ts";

/** Of every answer: no page of another origin may embed it (Fetch standard, 3.7), not even as a picture. */
export const SAME_ORIGIN = { "cross-origin-resource-policy": "same-origin" } as const;

/** JSON from this length on may take long to send. */
const LONG = 64 * 1024;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The response to a call that went well. */
export function answerWith(result: unknown, answer: Answer, requestId: string): Response {
  if (result instanceof WithStatus) return withStatus(result, requestId);
  if (result instanceof Streamed) return streamResponse(result, requestId);
  if (result instanceof Binary) return bytesResponse(result, 200, requestId);
  if (answer.status === 204) return emptyResponse(204, requestId);
  return jsonResponse(result, 200, requestId);
}

/** A JSON answer, good or bad. */
export function jsonResponse(
  body: unknown,
  status: number,
  requestId: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  const text = JSON.stringify(body ?? null);
  const response = new Response(text, {
    status,
    headers: {
      "content-type": "application/json",
      ...SAME_ORIGIN,
      "x-request-id": requestId,
      ...headers,
    },
  });
  return text.length < LONG ? response : markLong(response);
}

/** The answer to a HEAD: what GET would say, without the body but with its length. */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (response.body !== null) {
    headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  }
  return new Response(null, { status, headers });
}

function withStatus({ status, body }: WithStatus, requestId: string): Response {
  if (NO_BODY.has(status)) {
    return emptyResponse(status, requestId, body instanceof Binary ? body.headers : {});
  }
  if (body instanceof Binary) return bytesResponse(body, status, requestId);
  return jsonResponse(body, status, requestId);
}

export function emptyResponse(
  status: number,
  requestId: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(null, {
    status,
    headers: { ...headers, ...SAME_ORIGIN, "x-request-id": requestId },
  });
}

function bytesResponse({ bytes, headers }: Binary, status: number, requestId: string): Response {
  const all = {
    "x-content-type-options": "nosniff",
    ...headers,
    ...SAME_ORIGIN,
    "x-request-id": requestId,
  };
  return markLong(new Response(bytes, { status, headers: all }));
}

function streamResponse({ json }: Streamed, requestId: string): Response {
  const headers = {
    "content-type": "application/json",
    ...SAME_ORIGIN,
    "x-request-id": requestId,
  };
  return markLong(new Response(json, { status: 200, headers }));
}
