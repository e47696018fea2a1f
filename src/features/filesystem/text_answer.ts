/** Sends long texts as JSON while encoding them, so that no answer delays other requests. */

import { pause } from "../../core/deadline.ts";
import { Streamed } from "../streamed.ts";

/** Up to this size, in bytes of the file, an answer is encoded in one go. */
export const SHORT_BYTES = 256 * 1024;

/** Bytes encoded in one go; divisible by three, as base64 requires. */
const PIECE = 96 * 1024;

/** Encoded text, piece by piece, without the JSON quotes. */
export type Pieces = Iterable<string>;

/** UTF-8 as the inside of a JSON string; invalid UTF-8 becomes U+FFFD. */
export function* jsonText(parts: Iterable<Uint8Array<ArrayBuffer>>): Pieces {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE) {
      yield inner(decoder.decode(part.subarray(at, at + PIECE), { stream: true }));
    }
  }
  yield inner(decoder.decode());
}

/** Base64, which needs no escapes in JSON. */
export function* base64Text(bytes: Uint8Array<ArrayBuffer>): Pieces {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE).toBase64();
}

/** Pieces sent before other tasks get a turn. */
const PIECES_AT_ONCE = 4;

/** An answer that consists of `before`, the text in quotes, and `after`. */
export function streamText(before: string, pieces: Pieces, after: string): Streamed {
  return streamJson(makeChunks(before, pieces, after));
}

/** An answer whose JSON consists of these pieces. */
export function streamJson(json: Pieces): Streamed {
  const ended = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  const chunks = json[Symbol.iterator]();
  let sent = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (++sent % PIECES_AT_ONCE === 0) await pause(0);
      const { done, value } = chunks.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      controller.close();
      ended.resolve();
    },
    cancel: () => ended.resolve(),
  });
  return new Streamed(stream, ended.promise);
}

function* makeChunks(before: string, pieces: Pieces, after: string): Generator<string, void> {
  yield `${before}"`;
  for (const piece of pieces) if (piece !== "") yield piece;
  yield `"${after}`;
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
