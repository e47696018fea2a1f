/** Reads a JSON body: size, media type, bytes, UTF-8, JSON, in this order. */

import { type Fault, InputError, ServiceError } from "../errors.ts";
import type { Caller } from "./connections/caller.ts";
import { Refusal } from "./refusal.ts";

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const SHOWN_TYPE_LENGTH = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The value of a JSON body.
 * @throws Refusal `too_large`, or InputError on the media type or on what is no JSON.
 */
export async function readJsonBody(
  request: Request,
  maxBytes: number,
  caller?: Caller,
): Promise<unknown> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // a chunked body tells its size only by being read
  const chunked = declared === null ? await inTime(readUpTo(request, maxBytes), caller) : undefined;
  requireJson(request.headers.get("content-type"));
  const bytes = chunked ?? await inTime(request.arrayBuffer(), caller);
  if (bytes.byteLength === 0) throw missingBody();
  const value = parseJson(decode(bytes));
  if (value === null) throw missingBody();
  return value;
}

/** What is being read, or the reason why the caller's connection waits no longer for it. */
function inTime(reading: Promise<ArrayBuffer>, caller: Caller | undefined): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const arrived = caller?.awaitBody?.(reject);
    reading.then((bytes) => {
      arrived?.();
      resolve(bytes);
    }, (cause) => {
      arrived?.();
      reject(cause instanceof ServiceError ? cause : endedEarly(cause));
    });
  });
}

async function readUpTo(request: Request, maxBytes: number): Promise<ArrayBuffer> {
  if (request.body === null) return new ArrayBuffer(0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxBytes) break;
    chunks.push(next.value);
  }
  if (size > maxBytes) {
    reader.cancel().catch(() => {}); // the client may have closed its side already
    throw tooLarge(maxBytes);
  }
  return await new Blob(chunks).arrayBuffer();
}

function requireJson(mediaType: string | null): void {
  if (mediaType === "application/json") return;
  if (mediaType !== null && JSON_TYPE.test(mediaType)) return;
  const sent = mediaType === null
    ? "there is none"
    : `not ${JSON.stringify(mediaType.slice(0, SHOWN_TYPE_LENGTH))}`;
  throw new InputError([{
    loc: ["header", "content-type"],
    msg: `Content-Type should be "application/json": ${sent}`,
    type: "content_type",
  }]);
}

function decode(bytes: ArrayBuffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InputError([notJson(0)]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // neither the engine's message nor the error as a cause: both quote the body
    throw new InputError([notJson(offsetOf(error, text))]);
  }
}

/** Where the engine stopped, as far as it says so. */
function offsetOf(error: unknown, text: string): number {
  const message = error instanceof Error ? error.message : "";
  if (message === "Unexpected end of JSON input") return text.length;
  return Number(/ at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1] ?? 0);
}

function notJson(offset: number): Fault {
  return { loc: ["body", offset], msg: "JSON decode error", type: "json_invalid" };
}

function missingBody(): InputError {
  return new InputError([{ loc: ["body"], msg: "Field required", type: "missing" }]);
}

function endedEarly(cause: unknown): InputError {
  return new InputError([notJson(0)], { cause });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too_large", `The request body is larger than ${maxBytes} bytes`);
}
