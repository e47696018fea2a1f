/** Turns what a handler returned into a response. */

import { type Answer, Binary, Streamed, WithStatus } from "../features/operation.ts";

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
  return new Response(JSON.stringify(body ?? null), {
    status,
    headers: { "content-type": "application/json", "x-request-id": requestId, ...headers },
  });
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
  return new Response(null, { status, headers: { ...headers, "x-request-id": requestId } });
}

function bytesResponse({ bytes, headers }: Binary, status: number, requestId: string): Response {
  const all = { "x-content-type-options": "nosniff", ...headers, "x-request-id": requestId };
  return new Response(bytes, { status, headers: all });
}

function streamResponse({ json }: Streamed, requestId: string): Response {
  const headers = { "content-type": "application/json", "x-request-id": requestId };
  return new Response(json, { status: 200, headers });
}
