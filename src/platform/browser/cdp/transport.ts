/** How messages reach a browser: a pipe to a program of our own, or a WebSocket. */

import { ServiceError } from "../../../core/errors.ts";

/** Carries JSON texts in both directions. */
export interface Transport {
  send(message: string): void;
  /** Called for each message, in order; set it before the next turn of the event loop. */
  onmessage: (message: string) => void;
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

/** A message beyond this is no answer that anybody asked for. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

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
    closed: ended.promise,
    close() {
      writer.close().catch(() => {});
      ended.resolve();
    },
  };
  readMessages(output, (message) => transport.onmessage(message)).then(
    ended.resolve,
    () => ended.resolve(),
  );
  return transport;
}

async function readMessages(
  output: ReadableStream<Uint8Array>,
  take: (message: string) => void,
): Promise<void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      take(decode(parts));
      parts = [];
      size = 0;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
    size += chunk.length - start;
    if (size > MAX_MESSAGE_BYTES) return;
  }
}

function decode(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/** @throws ServiceError `unavailable`: nobody answers at the address; Error: it is none */
export async function overSocket(address: string, timeoutMs: number): Promise<Transport> {
  const socket = new WebSocket(address);
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => opened.reject(new ServiceError("unavailable", "nobody answers")),
    timeoutMs,
  );
  socket.onopen = () => opened.resolve();
  socket.onerror = () =>
    opened.reject(new ServiceError("unavailable", "the connection was refused"));
  socket.onclose = () => {
    opened.reject(new ServiceError("unavailable", "the connection was closed"));
    ended.resolve();
  };
  const transport: Transport = {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    onmessage: () => {},
    closed: ended.promise,
    close: () => {
      socket.close();
      ended.resolve();
    },
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") transport.onmessage(data);
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
