/** Answers that may take long to send: their connections are not idle until the last byte has gone, and they must be read. */

import { Buffer } from "node:buffer";
import { encodeText } from "../../core/encode_text.ts";

/** An answer on its way to the client. */
export interface Sending {
  /** How long the client has taken nothing of it by now, in milliseconds. */
  stalledMs(now: number): number;
}

/** The system takes so much at once for a client that does not read, in bytes. */
const LARGE = 256 * 1024;
const PIECE = 64 * 1024;

const sendings = new WeakMap<Response, Sending>();

/** An answer that is made: a large one is given away in pieces, for only then can be seen how much of it has gone. */
export function bytesInPieces(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  if (bytes.length < LARGE) return new Response(bytes, init);
  const headers = { ...init.headers, "content-length": String(bytes.length) };
  return streamedResponse(piecesOf(bytes), { ...init, headers });
}

function* piecesOf(bytes: Uint8Array<ArrayBuffer>): Iterable<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** A large text, encoded while it is sent. */
export function textInPieces(text: string, init: ResponseInit): Response {
  const headers = { ...init.headers, "content-length": String(Buffer.byteLength(text)) };
  return streamedResponse(encodeText(text, PIECE), { ...init, headers });
}

/** An answer that is sent while it is made. */
export function streamedResponse(
  pieces: Iterable<Uint8Array<ArrayBuffer>> | ReadableStream<Uint8Array<ArrayBuffer>>,
  init: ResponseInit,
): Response {
  const reader = (pieces instanceof ReadableStream ? pieces : ReadableStream.from(pieces))
    .getReader();
  /** Since when nobody has asked for more; `undefined` while the next piece is being made. */
  let unreadSince: number | undefined = performance.now();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      unreadSince = undefined;
      const { done, value } = await reader.read();
      unreadSince = performance.now();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  const response = new Response(stream, init);
  sendings.set(response, {
    stalledMs: (now) => unreadSince === undefined ? 0 : now - unreadSince,
  });
  return response;
}

/** `undefined` for one that is sent in no time. */
export function findSending(response: Response): Sending | undefined {
  return sendings.get(response);
}
