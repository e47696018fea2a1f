/**
 * The listening socket: accepts connections, under any load and after any failure, until it is shut
 * down. Nothing else closes it: another user of the computer could bind the port at once, and would
 * be sent the token of every client.
 */

import type { Limits } from "../../config/limits.ts";
import { pause } from "../../core/deadline.ts";
import { type Log, log as standardLog } from "../../core/log.ts";
import type { SocketCalls } from "../../platform/files.ts";
import { errorBody } from "../answers.ts";
import {
  type Answer,
  Connection,
  type ConnectionLimits,
  Connections,
  type ConnectionUse,
  EXTRA,
} from "./connections.ts";
import {
  closeQuietly,
  findInternals,
  findServeConnection,
  type ServeConnection,
  type ServedConnection,
} from "./serve_connection.ts";
import { serveSocket, SOCKET_START } from "./web_sockets.ts";

export interface ServerOptions {
  readonly hostname: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly limits: ConnectionLimits;
  /** Listens; a test may pass its own function. */
  readonly listen?: (address: { hostname: string; port: number }) => Deno.TcpListener;
  readonly log?: Pick<Log, "warn">;
  /** Looks at what a client sends first; without them HTTP/2 is served, and no WebSocket. */
  readonly calls?: SocketCalls | undefined;
}

/** Time before the next connection is accepted after a failure of the whole service. */
const ACCEPT_BACKOFF_MS = 20;
/** Interval for which all failures share one log line, in milliseconds. */
const LOG_MS = 10_000;

/** What the program uses of a server. */
export type RunningServer = Pick<
  Server,
  "port" | "connections" | "busy" | "answerWith" | "shutdown"
>;

/** @throws when the address cannot be listened on. */
export function startServer(options: ServerOptions, first: Answer): RunningServer {
  const serve = findServeConnection();
  if (serve === undefined) return servePlainly(options, first);
  return new Server(options, byFirstBytes(serve, options.calls), first);
}

/** Serves without any limit of connections, which this version of Deno does not let us count. */
function servePlainly(
  { hostname, port, log = standardLog }: ServerOptions,
  answer: Answer,
): RunningServer {
  log.warn("connections are not limited: this version of Deno cannot serve a single one", {
    deno: Deno.version.deno,
  });
  const server = Deno.serve(
    { hostname, port, onListen() {} },
    (request, { remoteAddr }) => answer(request, { remoteAddr }),
  );
  return {
    port: server.addr.port,
    connections: 0,
    busy: false,
    answerWith: (next) => void (answer = next),
    shutdown: () => server.shutdown(),
  };
}

export class Server {
  readonly port: number;
  readonly #connections: Connections;
  readonly #log: Pick<Log, "warn">;
  readonly #use: ConnectionUse;
  readonly #listener: Deno.TcpListener;
  #stopping = false;
  #loggedAt = -Infinity;

  constructor(options: ServerOptions, serve: ServeConnection, first: Answer) {
    this.#log = options.log ?? standardLog;
    this.#connections = new Connections(options.limits);
    this.#use = { serve, answer: first, room: this.#connections };
    const { hostname, port, listen = Deno.listen } = options;
    this.#listener = listen({ hostname, port });
    this.port = this.#listener.addr.port;
    this.#acceptAll();
  }

  get connections(): number {
    return this.#connections.size;
  }

  get busy(): boolean {
    return this.#connections.busy;
  }

  answerWith(answer: Answer): void {
    this.#use.answer = answer;
  }

  /** Stops accepting, and closes all connections after answering the requests that have arrived. */
  async shutdown(): Promise<void> {
    this.#stopping = true;
    closeQuietly(this.#listener);
    await this.#connections.shutdown();
  }

  async #acceptAll(): Promise<void> {
    while (!this.#stopping) {
      try {
        this.#admit(await this.#listener.accept());
      } catch (error) {
        if (!this.#stopping) await this.#handleFailure(error as Error);
      }
    }
  }

  #admit(connection: Deno.TcpConn): void {
    if (!this.#connections.makeRoom(connection.remoteAddr.hostname)) return void refuse(connection);
    try {
      connection.setNoDelay(true);
      this.#connections.add(new Connection(connection, this.#use));
    } catch {
      closeQuietly(connection); // the client has already disconnected
    }
  }

  /** The system has taken a connection that failed from its queue: the next one can be accepted. */
  async #handleFailure(error: Error): Promise<void> {
    if (concernsOneConnection(error)) return;
    this.#warn("cannot accept a connection", error);
    if (isShortage(error)) this.#connections.endOldest();
    await pause(ACCEPT_BACKOFF_MS);
  }

  #warn(event: string, error: Error): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    this.#log.warn(event, { reason: error.message, connections: this.connections });
  }
}

/** Errors of a connection that ended before it was accepted, or of the network that it came by. */
const OF_ONE_CONNECTION = new Set([
  ...["ENOTCONN", "ECONNABORTED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EPROTO", "ENOPROTOOPT"],
  ...["EOPNOTSUPP", "EPERM", "EINTR", "EAGAIN", "ENETDOWN", "ENETUNREACH", "EHOSTDOWN"],
  ...["EHOSTUNREACH", "ENONET"],
  "EINVAL", // macOS, where it would be ENOTCONN elsewhere
]);

function concernsOneConnection(error: Error & { readonly code?: string }): boolean {
  return error instanceof Deno.errors.NotConnected || OF_ONE_CONNECTION.has(error.code ?? "");
}

/** `EMFILE`, `ENFILE` and similar: temporary. */
function isShortage(error: Error): boolean {
  return /too many open files|no buffer space|cannot allocate memory/i.test(error.message);
}

/** Rejects a connection because all allowed ones are busy, before any request is read. */
async function refuse(connection: Deno.TcpConn): Promise<void> {
  const id = crypto.randomUUID(); // it cannot be that of a request
  const body = JSON.stringify(errorBody("unavailable", "Too many connections: try again", id));
  const answer = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n" +
    `retry-after: 1\r\nx-request-id: ${id}\r\nconnection: close\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;
  // the client may have disconnected
  await connection.write(new TextEncoder().encode(answer)).catch(() => {});
  connection.close();
}

/** Descriptors for commands, files, displays and the runtime; half of all if there are few. */
const RESERVED = 384;

/**
 * How many connections to allow: the configured limits, less what the service needs for its own work.
 * @param descriptors how many descriptors the process may have open
 * @param servers how many ports share them
 */
export function connectionLimits(
  limits: Limits,
  descriptors: number,
  servers = 1,
): ConnectionLimits {
  const free = Math.max(8, (descriptors - Math.min(RESERVED, descriptors / 2)) / servers);
  return {
    max: Math.floor(Math.min(limits.maxConnections, Math.max(8, free - EXTRA))),
    maxPerAddress: limits.maxConnectionsPerAddress,
    headerMs: limits.headerTimeoutMs,
    bodyMs: limits.bodyTimeoutMs,
    writeMs: limits.writeTimeoutMs,
    idleMs: limits.idleTimeoutMs,
  };
}

// Chooses by the first bytes of a connection who serves it: Deno's server; ours, where it begins with
// the request for a WebSocket; nobody, where it is HTTP/2. Deno also speaks that with a client that
// begins with it, and none of our limits know it: hundreds of requests at a time on one connection,
// and floods of frames that never become a request.

/** The beginning of HTTP/2, and of no request of HTTP/1 (RFC 9113, 11.7). */
const PREFACE = "PRI";
/** By so many a request for a WebSocket is known; its ticket lies beyond them. */
const PEEKED_BYTES = 256;
/** Time until the next check for more bytes, where fewer have come; twice as long each time. */
const FIRST_BACKOFF_MS = 5;

const HTTP2_REFUSAL = new TextEncoder().encode(
  "HTTP/1.1 505 HTTP Version Not Supported\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
);

/** @returns `serve` itself where connections cannot be peeked at */
function byFirstBytes(
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
        if (kind === "http2") await refuseHttp2(connection);
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
async function refuseHttp2(connection: Deno.TcpConn): Promise<void> {
  await connection.read(new Uint8Array(4_096));
  await connection.write(HTTP2_REFUSAL);
}
