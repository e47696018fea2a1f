/** Turns the result of a handler into a response, as the operation declares it. */

import type { Answer, DetailedResult, OneOf } from "../features/operation.ts";
import { Streamed } from "../features/streamed.ts";
import { bytesInPieces, streamedResponse, textInPieces } from "./connections/long_answers.ts";

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
