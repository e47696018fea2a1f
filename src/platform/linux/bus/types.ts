/** What a bus takes and gives. */

/**
 * One method call. `body` is in the format of the library: arrays for arrays and structures, arrays
 * of pairs for dictionaries, `[signature, value]` for variants. A value of type `h` is an index into
 * `files`.
 */
export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Types of the body; nothing by default. */
  readonly signature?: string;
  readonly body?: readonly unknown[];
  /** Descriptors to pass; they remain the caller's. */
  readonly files?: readonly number[];
}

export interface CallOptions {
  /** The time limit, instead of that of the bus. */
  readonly timeoutMs?: number;
  /** The longest answer, in bytes; default: that of the connection. */
  readonly maxBytes?: number;
  /** The types that the answer must have, and after a colon that of its value: `v:s`. */
  readonly types?: string;
  /** Ends the wait; the call itself cannot be taken back. */
  readonly signal?: AbortSignal | undefined;
}

/** Dictionaries are objects, variants plain values. */
export interface BusReply {
  readonly body: readonly unknown[];
  /** Descriptors that came with it: the caller closes them. */
  readonly files: readonly number[];
}

/** What a subscription selects; `arg0` is the first value of the body, a string. */
export interface SignalMatch {
  readonly sender?: string;
  readonly path?: string;
  readonly interface?: string;
  readonly member?: string;
  readonly arg0?: string;
}

/** Descriptors of signals are closed, not passed on. */
export interface BusSignal {
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly body: readonly unknown[];
}

/** Which calls to this connection are received. */
export type CallMatch = Pick<BusCall, "path" | "interface" | "member">;

/** A connection to a message bus. */
export interface MessageBus extends Disposable {
  /** The unique name of this connection, such as `:1.42`. */
  readonly name: string;
  readonly connected: boolean;
  /** Resolves with the reason when the connection ends. */
  readonly closed: Promise<Error>;
  /**
   * Calls a method.
   * @throws BusError: the answer is an error, is too long or has other types; ServiceError `unavailable`: the bus has gone,
   *   `timed_out`: no answer in time.
   */
  call(call: BusCall, options?: CallOptions): Promise<BusReply>;
  /** Calls a method without waiting; calls and sends to one destination keep their order. */
  send(call: BusCall): void;
  /**
   * Receives calls to this connection until it is disposed; they are answered with nothing. Their
   * descriptors are closed.
   */
  receive(match: CallMatch, listener: (body: readonly unknown[]) => void): Disposable;
  /** Receives signals until the subscription is disposed. */
  on(match: SignalMatch, listener: (signal: BusSignal) => void): Promise<Disposable>;
}
