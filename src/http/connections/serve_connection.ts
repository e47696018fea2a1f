/** Deno's own HTTP server, on one connection that we accepted: what `Deno.serve` does with each of its own. */

export interface ServedConnection {
  /** Resolves when the connection is closed; rejects when the client broke it. */
  readonly finished: Promise<void>;
  /** Closes it after the answers to the requests that have come. */
  shutdown(): Promise<void>;
  /** Closes it now; does nothing when it is closed, or closing. */
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
 * `Deno.serve` accepts connections itself: it stops for good when no descriptor is left, and tells
 * nobody who is connected. The function it uses for each connection is not in Deno's documented
 * interface, so it is looked for here and nowhere else.
 * @returns undefined in a Deno that has no such function.
 */
export function findServeConnection(): ServeConnection | undefined {
  const deno = Deno as unknown as Record<PropertyKey, Record<string, unknown> | undefined>;
  const internals = deno[Reflect.get(Deno, "internal") as symbol];
  const serve = internals?.["serveHttpOnConnection"] as Internal | undefined;
  if (typeof serve !== "function") return undefined;
  const onError = () => new Response(null, { status: 500 });
  return (connection, handler) => {
    const source = new AbortSource();
    const { finished, shutdown } = serve(connection, source, handler, onError, () => {});
    return { finished, shutdown, abort: () => source.abort() };
  };
}

/**
 * What Deno needs of an AbortSignal. A real one would report as an unhandled error that Deno throws
 * where the connection is closed already, and the client may close it at any time.
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
