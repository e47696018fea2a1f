/**
 * The listening socket: accepts connections, under any load and after any failure, until it is shut
 * down.
 */

import { pause } from "../../core/deadline.ts";
import { type Log, log as standardLog } from "../../core/log.ts";
import type { Answer } from "./caller.ts";
import { Connection, type ConnectionUse } from "./connection.ts";
import { type ConnectionLimits, Connections } from "./connections.ts";
import { findServeConnection, type ServeConnection } from "./serve_connection.ts";

export interface ServerOptions {
  readonly hostname: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly limits: ConnectionLimits;
  /** Listens; a test may pass its own function. */
  readonly listen?: (address: { hostname: string; port: number }) => Deno.TcpListener;
  readonly log?: Pick<Log, "warn">;
}

/** Consecutive failures, 20 ms apart, after which the socket counts as broken. */
const MAX_FAILURES = 50;
const PAUSE_MS = 20;
/** Times that a broken socket is replaced, 200 ms apart, before giving up. */
const MAX_LISTENS = 25;
const LISTEN_PAUSE_MS = 200;
/** Interval for which all failures share one log line, in milliseconds. */
const LOG_MS = 10_000;

const REFUSAL = JSON.stringify({ detail: "There are too many connections: try again" });
const REFUSED = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n" +
  `retry-after: 1\r\nconnection: close\r\ncontent-length: ${REFUSAL.length}\r\n\r\n${REFUSAL}`;

/** @throws when the address cannot be listened on. */
export function startServer(options: ServerOptions, first: Answer): Server {
  const serve = findServeConnection();
  if (serve === undefined) throw new Error(NO_SERVE);
  return new Server(options, serve, first);
}

const NO_SERVE =
  "this version of Deno has no way to serve a single connection: use the one that README.md names";

export class Server {
  readonly port: number;
  /**
   * Resolves with the reason when no connections can be accepted any more; never resolves after a
   * shutdown.
   */
  readonly failed: Promise<Error>;
  readonly #connections: Connections;
  readonly #log: Pick<Log, "warn">;
  readonly #use: ConnectionUse;
  #listener: Deno.TcpListener;
  #stopping = false;
  #failures = 0;
  #loggedAt = -Infinity;

  constructor(
    private readonly options: ServerOptions,
    serve: ServeConnection,
    first: Answer,
  ) {
    this.#log = options.log ?? standardLog;
    this.#connections = new Connections(options.limits);
    this.#use = { serve, answer: first, room: this.#connections };
    this.#listener = this.#listen(options.port);
    this.port = this.#listener.addr.port;
    const failed = Promise.withResolvers<Error>();
    this.failed = failed.promise;
    this.#acceptAll().catch(failed.resolve);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Replaces the function that answers new requests. */
  answerWith(answer: Answer): void {
    this.#use.answer = answer;
  }

  /** Stops accepting, and closes all connections after answering the requests that have arrived. */
  async shutdown(): Promise<void> {
    this.#stopping = true;
    closeQuietly(this.#listener);
    await this.#connections.shutdown();
  }

  #listen(port: number): Deno.TcpListener {
    const listen = this.options.listen ?? Deno.listen;
    return listen({ hostname: this.options.hostname, port });
  }

  async #acceptAll(): Promise<void> {
    while (!this.#stopping) {
      try {
        this.#admit(await this.#listener.accept());
        this.#failures = 0;
      } catch (error) {
        if (!this.#stopping) await this.#recover(error as Error);
      }
    }
  }

  #admit(connection: Deno.TcpConn): void {
    if (!this.#connections.makeRoom(connection.remoteAddr.hostname)) return void refuse(connection);
    connection.setNoDelay(true);
    this.#connections.add(new Connection(connection, this.#use));
  }

  /** Handles a lack of descriptors, a client that has already disconnected, and a broken socket. */
  async #recover(error: Error): Promise<void> {
    this.#tell("cannot accept a connection", error);
    const isGone = error instanceof Deno.errors.BadResource;
    if (isGone || ++this.#failures > MAX_FAILURES && !isShortage(error)) {
      return await this.#listenAgain(error);
    }
    this.#connections.endOldest();
    await pause(PAUSE_MS);
  }

  async #listenAgain(cause: Error): Promise<void> {
    closeQuietly(this.#listener);
    for (let tries = 1; !this.#stopping; tries++) {
      try {
        this.#listener = this.#listen(this.port);
        this.#failures = 0;
        return this.#tell("listening again", cause);
      } catch (error) {
        if (tries >= MAX_LISTENS) throw error;
      }
      await pause(LISTEN_PAUSE_MS);
    }
  }

  #tell(event: string, error: Error): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    this.#log.warn(event, { reason: error.message, connections: this.connections });
  }
}

/** `EMFILE`, `ENFILE` and similar: temporary, and a new socket would not help. */
function isShortage(error: Error): boolean {
  return /too many open files|no buffer space|cannot allocate memory/i.test(error.message);
}

/** Rejects a connection because all allowed ones are busy. */
async function refuse(connection: Deno.TcpConn): Promise<void> {
  try {
    await connection.write(new TextEncoder().encode(REFUSED));
  } catch {
    // the client has already disconnected
  } finally {
    connection.close();
  }
}

function closeQuietly(listener: Deno.TcpListener): void {
  try {
    listener.close();
  } catch {
    // already closed
  }
}
