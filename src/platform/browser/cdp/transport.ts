/** How messages reach a browser: a pipe to a program of our own, or a WebSocket. */

import { ServiceError } from "../../../core/errors.ts";

/** Carries JSON texts in both directions. */
export interface Transport {
  send(message: string): void;
  /** Called for each message, in order; set it before the next turn of the event loop. */
  onmessage: (message: string) => void;
  /** Called in place of it for one that is too large, with its first and its last bytes. */
  onlarge: (start: string, end: string) => void;
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Answers beyond this are refused. A page of 100,000 nodes has less. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
/** Events beyond this are left out: pages can log, and name elements, with texts of any length. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
/** Characters of a message that is too large: its beginning says what it is, its end the session. */
const KEPT = 512;

/** Messages end with NUL, as `--remote-debugging-pipe` has them. */
export function overPipe(
  input: WritableStream<Uint8Array>,
  output: ReadableStream<Uint8Array>,
): Transport {
  const writer = input.getWriter();
  const encoder = new TextEncoder();
  const ended = Promise.withResolvers<void>();
  const transport: Transport = {
    send: (message) => void writer.write(encoder.encode(`${message}\0`)).catch(ended.resolve),
    onmessage: () => {},
    onlarge: () => {},
    closed: ended.promise,
    close() {
      writer.close().catch(() => {});
      ended.resolve();
    },
  };
  readMessages(output, transport).then(ended.resolve, () => ended.resolve());
  return transport;
}

/** What is too large is never held in full, and bytes no longer than it takes to decode them. */
async function readMessages(
  output: ReadableStream<Uint8Array>,
  transport: Transport,
): Promise<void> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  let start = "";
  let end = "";
  const add = (bytes: Uint8Array, options?: TextDecodeOptions) => {
    const text = decoder.decode(bytes, options);
    if (start.length < KEPT) start += text.slice(0, KEPT - start.length);
    size += bytes.length;
    if (size <= maxBytes(start)) return void parts.push(text);
    if (parts.length > 0) end = parts.splice(0).slice(-2).join("");
    end = (end + text).slice(-KEPT);
  };
  for await (const chunk of output) {
    let from = 0;
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      add(chunk.subarray(from, to));
      from = to + 1;
      const message = parts.splice(0).join("");
      if (size <= maxBytes(start)) transport.onmessage(message);
      else transport.onlarge(start, end);
      size = 0;
      start = "";
    }
    if (from < chunk.length) add(chunk.subarray(from), { stream: true });
  }
}

function maxBytes(start: string): number {
  return start.startsWith('{"id"') ? MAX_ANSWER_BYTES : MAX_EVENT_BYTES;
}

/** @throws ServiceError `unavailable`: nobody answers at the address; Error: it is none */
export async function overSocket(address: string, timeoutMs: number): Promise<Transport> {
  const socket = new WebSocket(address);
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const fail = (why: string) => opened.reject(new ServiceError("unavailable", why));
  const timer = setTimeout(() => fail("nobody answers"), timeoutMs);
  socket.onopen = () => opened.resolve();
  socket.onerror = () => fail("the connection was refused");
  socket.onclose = () => {
    fail("the connection was closed");
    ended.resolve();
  };
  const transport: Transport = {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    onmessage: () => {},
    onlarge: () => {},
    closed: ended.promise,
    close: () => {
      socket.close();
      ended.resolve();
    },
  };
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return;
    if (data.length <= maxBytes(data)) transport.onmessage(data);
    else transport.onlarge(data.slice(0, KEPT), data.slice(-KEPT));
  };
  try {
    await opened.promise;
    return transport;
  } catch (error) {
    transport.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
