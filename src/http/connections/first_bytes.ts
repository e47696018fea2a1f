/**
 * Chooses by the first bytes of a connection who serves it: Deno's server; ours, where it begins with
 * the request for a WebSocket; nobody, where it is HTTP/2. Deno also speaks that with a client that
 * begins with it, and none of our limits know it: hundreds of requests at a time on one connection,
 * and floods of frames that never become a request.
 */

import { pause } from "../../core/deadline.ts";
import type { SocketCalls } from "../../platform/files.ts";
import {
  closeQuietly,
  findInternals,
  type ServeConnection,
  type ServedConnection,
} from "./serve_connection.ts";
import { serveSocket, SOCKET_START } from "./web_sockets.ts";

/** The beginning of HTTP/2, and of no request of HTTP/1 (RFC 9113, 11.7). */
const PREFACE = "PRI";
/** By so many a request for a WebSocket is known; its ticket lies beyond them. */
const PEEKED_BYTES = 256;
/** Time until the next check for more bytes, where fewer have come; twice as long each time. */
const FIRST_BACKOFF_MS = 5;

const REFUSAL = new TextEncoder().encode(
  "HTTP/1.1 505 HTTP Version Not Supported\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
);

/** @returns `serve` itself where connections cannot be peeked at */
export function byFirstBytes(
  serve: ServeConnection,
  calls: SocketCalls | undefined,
): ServeConnection {
  const core = findInternals()?.core;
  if (core === undefined || calls === undefined) return serve;
  const bytes = new Uint8Array(PEEKED_BYTES);
  const decoder = new TextDecoder("latin1");
  const fileOf = (connection: Deno.TcpConn): unknown =>
    Reflect.get(connection, core.internalFdSymbol);

  /** Waits until that is certain. */
  async function kindOf(connection: Deno.TcpConn): Promise<"http1" | "http2" | "socket"> {
    for (let backoffMs = FIRST_BACKOFF_MS;; backoffMs *= 2) {
      await core!.read(Reflect.get(connection, core!.internalRidSymbol), new Uint8Array());
      const file = fileOf(connection);
      const count = typeof file === "number" ? calls!.peek(file, bytes) : 0;
      const text = decoder.decode(bytes.subarray(0, Math.max(0, count)));
      if (text.startsWith(PREFACE)) return "http2";
      if (SOCKET_START.test(text)) return "socket";
      const isLine = text.includes("\r\n") || count === PEEKED_BYTES;
      const mayBe = PREFACE.startsWith(text) || "GET ".startsWith(text.slice(0, 4)) && !isLine;
      if (text === "" || !mayBe) return "http1";
      await pause(backoffMs);
    }
  }

  /**
   * What closes a connection. Closing alone would leave a write to a client that does not read; once
   * it is closed, the descriptor is another one's.
   */
  function cutter(connection: Deno.TcpConn): () => void {
    const file = fileOf(connection);
    let isOpen = true;
    return () => {
      if (isOpen && typeof file === "number") calls!.shutdown(file);
      isOpen = false;
      closeQuietly(connection);
    };
  }

  return (connection, handler) => {
    const cut = cutter(connection);
    let served: ServedConnection | undefined;
    async function run(): Promise<void> {
      try {
        const kind = await kindOf(connection);
        if (kind === "http2") await refuse(connection);
        else if (kind === "socket") served = serveSocket(connection, handler, cut);
        else served = serve(connection, handler);
      } finally {
        if (served === undefined) cut();
      }
      await served?.finished;
    }
    const abort = () => served === undefined ? cut() : served.abort();
    const shutdown = async () => served === undefined ? abort() : await served.shutdown();
    return { finished: run(), abort, shutdown };
  };
}

/** Takes what has come before: closing would otherwise reset the connection and lose the answer. */
async function refuse(connection: Deno.TcpConn): Promise<void> {
  await connection.read(new Uint8Array(4_096));
  await connection.write(REFUSAL);
}
