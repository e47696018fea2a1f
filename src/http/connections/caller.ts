/** Who asks: what answering a request may know of its connection, and may tell it. */

/** What is asked for, as far as it matters where nearly all connections are in use. */
export interface Asked {
  /** Whether it may take minutes. */
  readonly long?: boolean;
  /** Whether it must be answered whatever else goes on. */
  readonly urgent?: boolean;
}

/** Ends the reading of a body with the answer to give. */
export type CutBody = (reason: Error) => void;

export interface Caller {
  /** The client's side of the connection. */
  readonly remoteAddr: Deno.Addr;
  /** Our side of it; missing where it is not known (a plain `Deno.serve`). */
  readonly localAddr?: Deno.NetAddr;
  /**
   * The body of a request is being read from now on; `cut` is called, with the answer to give, when that
   * takes too long. Missing where nobody counts the time (a plain `Deno.serve`).
   */
  awaitBody?(cut: CutBody): void;
  /** The body is there, or never will be. */
  endBody?(cut: CutBody): void;
  /**
   * To be called before anything is done. Missing where connections are not counted (a plain `Deno.serve`).
   * @throws ServiceError `unavailable` when too many connections are being answered for this one.
   */
  admit?(asked: Asked): void;
}

/** What answers requests; it never rejects. */
export type Answer = (request: Request, caller: Caller) => Response | Promise<Response>;
