/**
 * Answers that may take long to send: their connections stay busy until the last byte is sent, and
 * clients must keep reading.
 */

import { Buffer } from "node:buffer";
import { encodeText } from "../../core/texts.ts";

/** An answer that is being sent to the client. */
export interface Sending {
  /** What it holds in memory until it is sent, in bytes; 0 if it is made while it is sent. */
  readonly heldBytes: number;
  /** How long the client has not read any of it, in milliseconds. */
  stalledMs(now: number): number;
  /** Ends it before its end: the client sees that it is not complete. */
  readonly stop: (reason: unknown) => void;
  /** Resolves when it has been sent, or when nobody reads it any more. */
  readonly ended: Promise<void>;
}

/** The system buffers up to this many bytes for a client that does not read. */
const LARGE = 256 * 1024;
const PIECE = 64 * 1024;

const sendings = new WeakMap<Response, Sending>();

/** Sends a complete answer; a large one in pieces, because only then is its progress visible. */
export function bytesInPieces(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  if (bytes.length < LARGE) return new Response(bytes, init);
  const headers = new Headers(init.headers);
  headers.set("content-length", String(bytes.length));
  return streamedResponse(splitPieces(bytes), { ...init, headers }, bytes.length);
}

function* splitPieces(bytes: Uint8Array<ArrayBuffer>): Iterable<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Sends a large text and encodes it meanwhile. */
export function textInPieces(text: string, init: ResponseInit): Response {
  const headers = { ...init.headers, "content-length": String(Buffer.byteLength(text)) };
  return streamedResponse(encodeText(text, PIECE), { ...init, headers }, text.length);
}

/** Sends an answer while it is generated. */
export function streamedResponse(
  pieces: Iterable<Uint8Array<ArrayBuffer>> | ReadableStream<Uint8Array<ArrayBuffer>>,
  init: ResponseInit,
  heldBytes = 0,
): Response {
  const reader = (pieces instanceof ReadableStream ? pieces : ReadableStream.from(pieces))
    .getReader();
  /**
   * Since when no more data has been requested; `undefined` while the next piece is being
   * generated.
   */
  let unreadSince: number | undefined = performance.now();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let sent!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let isStopped = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      sent = controller;
    },
    async pull(controller) {
      unreadSince = undefined;
      const { done, value } = await reader.read().catch((error) => {
        end();
        throw error;
      });
      unreadSince = performance.now();
      if (isStopped) return;
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  const response = new Response(stream, init);
  sendings.set(response, {
    heldBytes,
    stalledMs: (now) => unreadSince === undefined ? 0 : now - unreadSince,
    stop(reason) {
      isStopped = true;
      sent.error(reason);
      end();
      reader.cancel(reason).catch(() => {}); // its source may have failed already
    },
    ended,
  });
  return response;
}

/** `undefined` for an answer that needs no time to send. */
export function findSending(response: Response): Sending | undefined {
  return sendings.get(response);
}
