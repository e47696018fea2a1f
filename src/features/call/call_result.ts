/** Turns the result of a handler into the result of a call, as the operation declares it. */

import { ServiceError } from "../../core/errors.ts";
import type { Answer, OneOf } from "../outcomes.ts";
import { type FileStream, Streamed } from "../streamed.ts";
import type { CallResult } from "./calls.ts";

/** What a handler may return besides plain data. */
interface Detailed {
  readonly outcome: string;
  readonly body?: unknown;
  readonly mediaType?: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly file?: FileStream;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws ServiceError `too_large` when a streamed answer has more than `maxBytes` */
export async function toCallResult(
  result: unknown,
  answer: Answer | OneOf,
  maxBytes: number,
): Promise<CallResult> {
  if ("oneOf" in answer) {
    const { outcome, body, ...rest } = result as Detailed;
    const chosen = answer.oneOf[outcome];
    if (chosen === undefined) throw new TypeError(`No answer has the name "${outcome}"`);
    const { file } = rest;
    const read = file && { ...rest, bytes: await readAll(file, maxBytes) };
    const detailed = "schema" in chosen ? body : read ?? rest;
    return { outcome, ...plainResult(detailed, chosen, rest.headers) };
  }
  if (result instanceof Streamed) {
    return { kind: "json", value: await collect(result, maxBytes), headers: {} };
  }
  return plainResult(result, answer);
}

function plainResult(
  result: unknown,
  answer: Answer,
  headers: Detailed["headers"] = {},
): CallResult {
  if ("schema" in answer) return { kind: "json", value: result ?? null, headers };
  if (!("mediaTypes" in answer)) return { kind: "nothing", headers };
  const { mediaType, bytes, headers: own = headers } = result as Detailed;
  return { kind: "file", mediaType: mediaType!, bytes: bytes!, headers: own };
}

async function readAll(
  { stream, length }: FileStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (length <= maxBytes) return await new Response(stream).bytes();
  await stream.cancel();
  const message = `The file has ${length} bytes, more than ${maxBytes}: get it over HTTP`;
  throw new ServiceError("too_large", message);
}

async function collect({ json }: Streamed, maxBytes: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of json) { // leaving the loop cancels the stream
    size += chunk.byteLength;
    if (size > maxBytes) {
      const message = `The answer is larger than ${maxBytes} bytes: ask for less`;
      throw new ServiceError("too_large", message);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
