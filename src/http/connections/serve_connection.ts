/**
 * Runs Deno's own HTTP server on one connection that we accepted, as `Deno.serve` does for each of
 * its connections.
 */

import { tryTo } from "../../core/errors.ts";

export interface ServedConnection {
  /** Resolves when the connection is closed; rejects when the client broke it. */
  readonly finished: Promise<void>;
  /** Closes it after answering the requests that have arrived. */
  shutdown(): Promise<void>;
  /** Closes it immediately; does nothing if it is closed or closing. */
  abort(): void;
}

export type ServeConnection = (connection: Deno.TcpConn, handler: Handler) => ServedConnection;

export type Handler = (
  request: Request,
  info: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

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
export interface Internals {
  readonly serveHttpOnConnection?: Internal;
  readonly core?: {
    readonly internalRidSymbol: symbol;
    readonly internalFdSymbol: symbol;
    /** Of no bytes: resolves as soon as there are some, or none can come. */
    read(resource: unknown, bytes: Uint8Array): Promise<number>;
  };
}

export function findInternals(): Internals | undefined {
  return Reflect.get(Deno, Reflect.get(Deno, "internal") as symbol) as Internals | undefined;
}

/** Closes a socket that may be closed already. */
export function closeQuietly(socket: { close(): void }): void {
  tryTo(() => socket.close());
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
