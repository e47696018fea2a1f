/** Who asks: what answering a request may know of its connection, and may tell it. */

export interface Caller {
  /** The client's side of the connection. */
  readonly remoteAddr: Deno.Addr;
  /** Our side of it; missing where it is not known (a plain `Deno.serve`). */
  readonly localAddr?: Deno.NetAddr;
  /**
   * The request's body is being read from now on; `cut` is called, with the answer to give, when that
   * takes too long. Missing where nobody counts the time (a plain `Deno.serve`).
   * @returns what to call when the body is there.
   */
  readonly awaitBody?: (cut: (reason: Error) => void) => () => void;
}

/** What answers requests; it never rejects. */
export type Answer = (request: Request, caller: Caller) => Response | Promise<Response>;
