/**
 * Runs Deno's own HTTP server on one connection that we accepted, as `Deno.serve` does for each of
 * its connections.
 */

import { pause } from "../../core/deadline.ts";
import type { Peek } from "../../platform/files.ts";

export interface ServedConnection {
  /** Resolves when the connection is closed; rejects when the client broke it. */
  readonly finished: Promise<void>;
  /** Closes it after answering the requests that have arrived. */
  shutdown(): Promise<void>;
  /** Closes it immediately; does nothing if it is closed or closing. */
  abort(): void;
}

export type ServeConnection = (connection: Deno.TcpConn, handler: Handler) => ServedConnection;

type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

type Internal = (
  connection: Deno.TcpConn,
  signal: AbortSource,
  handler: Handler,
  onError: (error: unknown) => Response,
  onListen: () => void,
) => Pick<ServedConnection, "finished" | "shutdown">;

/**
 * `Deno.serve` accepts connections itself: it stops for good when descriptors run out, and does not
 * reveal who is connected. The function that it uses for each connection is not part of Deno's
 * documented interface, so this is the only place that looks for it.
 * @returns `undefined` in a Deno version without that function.
 */
export function findServeConnection(): ServeConnection | undefined {
  const serve = findInternals()?.serveHttpOnConnection;
  if (typeof serve !== "function") return undefined;
  const onError = () => new Response(null, { status: 500 });
  return (connection, handler) => {
    const source = new AbortSource();
    const { finished, shutdown } = serve(connection, source, handler, onError, () => {});
    return { finished, shutdown, abort: () => source.abort() };
  };
}

/** What this file uses of Deno's internals. */
interface Internals {
  readonly serveHttpOnConnection?: Internal;
  readonly core?: {
    readonly internalRidSymbol: symbol;
    readonly internalFdSymbol: symbol;
    /** Of no bytes: resolves as soon as there are some, or none can come. */
    read(resource: unknown, bytes: Uint8Array): Promise<number>;
  };
}

function findInternals(): Internals | undefined {
  return Reflect.get(Deno, Reflect.get(Deno, "internal") as symbol) as Internals | undefined;
}

/** The beginning of HTTP/2, and of no request of HTTP/1 (RFC 9113, 11.7). */
const PREFACE = "PRI";
/** Time until the next check for more bytes, where fewer have come; twice as long each time. */
const FIRST_BACKOFF_MS = 5;

const REFUSAL = new TextEncoder().encode(
  "HTTP/1.1 505 HTTP Version Not Supported\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
);

/**
 * Serves HTTP/1 only. Deno also speaks HTTP/2 with a client that begins with it, which none of our
 * limits know: hundreds of requests at a time on one connection, and floods of frames that never
 * become a request.
 * @returns `serve` itself where connections cannot be peeked at
 */
export function withoutHttp2(serve: ServeConnection, peek: Peek | undefined): ServeConnection {
  const core = findInternals()?.core;
  if (core === undefined || peek === undefined) return serve;
  const bytes = new Uint8Array(PREFACE.length);
  const decoder = new TextDecoder("latin1");

  async function startsHttp2(connection: Deno.TcpConn): Promise<boolean> {
    for (let backoffMs = FIRST_BACKOFF_MS;; backoffMs *= 2) {
      await core!.read(Reflect.get(connection, core!.internalRidSymbol), new Uint8Array());
      const file: unknown = Reflect.get(connection, core!.internalFdSymbol);
      const count = typeof file === "number" ? peek!(file, bytes) : 0;
      const begins = count > 0 && PREFACE.startsWith(decoder.decode(bytes.subarray(0, count)));
      if (!begins || count === PREFACE.length) return begins;
      await pause(backoffMs);
    }
  }

  return (connection, handler) => {
    let served: ServedConnection | undefined;
    async function run(): Promise<void> {
      try {
        if (await startsHttp2(connection)) await refuse(connection);
        else served = serve(connection, handler);
      } finally {
        if (served === undefined) closeQuietly(connection);
      }
      await served?.finished;
    }
    const abort = () => served === undefined ? closeQuietly(connection) : served.abort();
    const shutdown = async () => served === undefined ? abort() : await served.shutdown();
    return { finished: run(), abort, shutdown };
  };
}

/** Takes what has come before: closing would otherwise reset the connection and lose the answer. */
async function refuse(connection: Deno.TcpConn): Promise<void> {
  await connection.read(new Uint8Array(4_096));
  await connection.write(REFUSAL);
}

/** Closes a socket that may be closed already. */
export function closeQuietly(socket: { close(): void }): void {
  try {
    socket.close();
  } catch {
    // already closed
  }
}

/**
 * The part of AbortSignal that Deno needs. Deno throws if the connection is already closed, which a
 * real signal would report as an unhandled error, and the client may close it at any time.
 */
class AbortSource {
  #listener: (() => void) | undefined;

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listener = listener;
  }

  abort(): void {
    try {
      this.#listener?.();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }
}
