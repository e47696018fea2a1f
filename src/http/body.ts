/** Reads a JSON body and checks size, media type, bytes, UTF-8 and JSON, in this order. */

import type { Hash } from "node:crypto";
import { countBytes, joinBytes } from "../core/bytes.ts";
import { InputError, ServiceError, type ValidationError } from "../core/errors.ts";
import { EventLoopYielder } from "../core/event_loop_yielder.ts";
import { WorkerPool } from "../core/worker_thread.ts";
import type { Caller, CutBody } from "./connections/connections.ts";
import { type JsonSyntaxError, type Parsed, parseJson } from "./parse_json.ts";
import { Refusal } from "./origins.ts";

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const SHOWN_TYPE_LENGTH = 100;
/**
 * Parsing more bytes than this would delay other requests too long: up to here it takes 8 ms at most
 * (a text of nothing but escapes), a thread of its own longer.
 */
const LARGE = 1280 * 1024;
/**
 * Deno allocates the declared size of a body before any of it has arrived: trust no more than this.
 */
const MAX_TRUSTED = 64 * 1024;

/**
 * The value of a JSON body.
 * @param hash gets the bytes, too
 * @throws Refusal `too_large`, or InputError for a wrong media type or invalid JSON.
 */
export async function readJsonBody(
  request: Request,
  maxBytes: number,
  caller?: Caller,
  hash?: Hash,
): Promise<unknown> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // the size of a chunked body is known only after reading it
  const read = () => readUpTo(request, maxBytes, caller);
  const chunked = declared === null ? await inTime(read(), caller) : undefined;
  requireJson(request.headers.get("content-type"));
  const chunks = chunked ?? await inTime(
    Number(declared) > MAX_TRUSTED ? read() : readSmall(request),
    caller,
  );
  if (hash !== undefined && countBytes(chunks) > LARGE) await hashInTurns(hash, chunks);
  else if (hash !== undefined) { for (const chunk of chunks) hash.update(chunk); }
  return await parseJsonBody(chunks);
}

/**
 * The value of a JSON body that has been read.
 * @throws InputError when there is none, or it is no JSON
 */
export async function parseJsonBody(chunks: Chunks): Promise<unknown> {
  const size = countBytes(chunks);
  if (size === 0) throw missingBody();
  const parsed = size > LARGE
    ? await parseLargeBody(chunks)
    : parseJson(chunks.length === 1 ? chunks[0]! : joinBytes(chunks));
  if ("error" in parsed) throw new InputError([notJson(parsed.error)]);
  if (parsed.value === null) throw missingBody();
  return parsed.value;
}

/**
 * The bytes of a body of any media type; `undefined` without one.
 * @throws Refusal `too_large`
 */
export async function readWholeBody(
  request: Request,
  maxBytes: number,
  caller?: Caller,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request.body === null) return undefined;
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  return joinBytes(await inTime(readUpTo(request, maxBytes, caller), caller));
}

/**
 * Resolves with what is read; rejects with the reason if the connection stops waiting for the body.
 * @param broken makes the error for a body that breaks off
 */
export function inTime<T>(
  reading: Promise<T>,
  caller: Caller | undefined,
  broken: (cause: unknown) => Error = endedEarly,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cut: CutBody = (cause) => {
      caller?.endBody?.(cut);
      reject(cause instanceof ServiceError ? cause : broken(cause));
    };
    caller?.awaitBody?.(cut);
    reading.then((result) => {
      caller?.endBody?.(cut);
      resolve(result);
    }, cut);
  });
}

async function readSmall(request: Request): Promise<Chunks> {
  return [new Uint8Array(await request.arrayBuffer())];
}

async function readUpTo(
  request: Request,
  maxBytes: number,
  caller: Caller | undefined,
): Promise<Chunks> {
  if (request.body === null) return [];
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      caller?.holdBody?.(next.value.byteLength);
      chunks.push(next.value);
    }
    return chunks;
  } catch (error) {
    reader.cancel().catch(() => {}); // the client may already have closed its side
    throw error;
  }
}

async function hashInTurns(hash: Hash, chunks: Chunks): Promise<void> {
  const yielder = new EventLoopYielder();
  for (const chunk of chunks) {
    hash.update(chunk);
    await yielder.yieldIfDue();
  }
}

function requireJson(mediaType: string | null): void {
  if (mediaType === "application/json") return;
  if (mediaType !== null && JSON_TYPE.test(mediaType)) return;
  const sent = mediaType === null
    ? "it is missing"
    : `not ${JSON.stringify(mediaType.slice(0, SHOWN_TYPE_LENGTH))}`;
  throw new InputError([{
    loc: ["header", "content-type"],
    msg: `Content-Type should be "application/json": ${sent}`,
    type: "content_type",
  }]);
}

function notJson({ offset, msg }: JsonSyntaxError): ValidationError {
  return { loc: ["body", offset], msg, type: "json_invalid" };
}

function missingBody(): InputError {
  return new InputError([{ loc: ["body"], msg: "Field required", type: "missing" }]);
}

function endedEarly(cause: unknown): InputError {
  return new InputError([notJson({ offset: 0, msg: "JSON decode error" })], { cause });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("too_large", `The request body is larger than ${maxBytes} bytes`);
}

/** The bytes of a body as received. */
type Chunks = readonly Uint8Array<ArrayBuffer>[];

/** How long an idle thread is kept: starting one takes 30 ms, keeping it some MiB. */
const IDLE_TIMEOUT_MS = 10_000;

let pool: WorkerPool<Chunks, Parsed> | undefined;

/**
 * Parses the bytes in a thread of its own, which exists only while it is needed, and transfers them, so
 * that the caller can no longer use them.
 */
function parseLargeBody(chunks: Chunks): Promise<Parsed> {
  pool ??= new WorkerPool({
    module: new URL("./parse_worker.ts", import.meta.url),
    name: "parsing",
    threads: 1,
    jobsEach: Infinity, // the thread has its own queue; the bytes are already transferred
    idleMs: IDLE_TIMEOUT_MS,
  });
  return pool.run(chunks, { transfer: [...new Set(chunks.map(({ buffer }) => buffer))] });
}
