/** The caller of a request: what answering it may know about its connection, and report to it. */

/** The properties of a request that matter while nearly all connections are in use. */
export interface Asked {
  /** Whether the request may take minutes. */
  readonly long?: boolean;
  /** Whether the request must be answered under any load. */
  readonly urgent?: boolean;
}

/** Aborts the reading of a body; `reason` is the answer to give. */
export type CutBody = (reason: Error) => void;

export interface Caller {
  /** The client's address. */
  readonly remoteAddr: Deno.Addr;
  /** Our address; absent if unknown (a plain `Deno.serve`). */
  readonly localAddr?: Deno.NetAddr;
  /**
   * Reports that the body of a request is being read. If that takes too long, `cut` is called with
   * the answer to give. Absent if the time is not limited (a plain `Deno.serve`).
   */
  awaitBody?(cut: CutBody): void;
  /** Reports that the body has arrived, or never will. */
  endBody?(cut: CutBody): void;
  /**
   * Must be called before any work is done. Absent if connections are not counted (a plain
   * `Deno.serve`).
   * @throws ServiceError `unavailable` when too many connections are busy to admit this one.
   */
  admit?(asked: Asked): void;
  /**
   * Must be awaited before a large answer is made: resolves when there is memory for it, with
   * whether the client still waits. Absent if connections are not counted.
   * @throws ServiceError `unavailable` when too many wait for that.
   */
  reserve?(): Promise<boolean>;
  /**
   * Reports that so many bytes of a large body have come, until {@link endBody}.
   * @throws ServiceError `unavailable` when all bodies that are arriving are too much.
   */
  holdBody?(bytes: number): void;
}

/** Answers requests; never rejects. */
export type Answer = (request: Request, caller: Caller) => Response | Promise<Response>;
