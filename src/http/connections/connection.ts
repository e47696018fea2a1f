/** One connection of a client: what it waits for, since when, and how it ends. */

import { ServiceError } from "../../core/errors.ts";
import type { Permit } from "../../core/locks.ts";
import type {
  Answer,
  Asked,
  Caller,
  CutBody,
  ServeConnection,
  ServedConnection,
} from "./serve_connection.ts";
import { findSending, type Sending } from "./long_answers.ts";

export interface TimeLimits {
  /** Time for the first request to arrive, in milliseconds. */
  readonly headerMs: number;
  /** Time for the body of a request to arrive, in milliseconds. */
  readonly bodyMs: number;
  /** Time for the client to read some part of an answer, in milliseconds. */
  readonly writeMs: number;
  /** Time between two requests, in milliseconds. */
  readonly idleMs: number;
}

export interface ConnectionUse {
  readonly serve: ServeConnection;
  /** Answers the next request; replaceable. */
  answer: Answer;
  readonly room: {
    /** @throws ServiceError when there is no capacity for such a request. */
    admit(connection: Connection, asked: Asked): void;
    /** @throws ServiceError when too many wait; the signal's reason when it aborts. */
    reserve(address: string, signal: AbortSignal): Promise<Permit>;
    /**
     * Counts the bytes of large bodies that are arriving.
     * @throws ServiceError when there are too many.
     */
    holdBody(bytes: number): void;
  };
}

/**
 * Time to send the last answer before closing a connection whose request never arrived completely,
 * in milliseconds.
 */
const LINGER_MS = 200;

/** Activity counter of all connections. */
let events = 0;

/** Serves as the caller of all its requests, so that none needs an object of its own. */
export class Connection implements Caller {
  readonly remoteAddr: Deno.NetAddr;
  readonly localAddr: Deno.NetAddr;
  /** The client's address, without the port. */
  readonly address: string;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  readonly #served: ServedConnection;
  /** Callbacks that abort the bodies being read. */
  readonly #bodies = new Set<CutBody>();
  /** Long answers that are being sent. */
  readonly #sendings = new Set<Sending>();
  /** Number of requests being answered. */
  #running = 0;
  #asked = false;
  /** What the large body that is arriving holds in memory. */
  #bodyBytes = 0;
  /** The place of the large answer that is being made. */
  #permit: Permit | undefined;
  /** Aborts when the connection is closed, once something waits for that. */
  #gone: AbortSignal | undefined;
  /** Value of the activity counter at the last activity. */
  #event = ++events;
  /**
   * Time of the first check after that: reading the clock for every request would cost too much.
   */
  #since: number | undefined;
  /** Whether to close the connection as soon as no request is running. */
  #ending = false;

  constructor(connection: Deno.TcpConn, private readonly use: ConnectionUse) {
    this.remoteAddr = connection.remoteAddr;
    this.localAddr = connection.localAddr;
    this.address = this.remoteAddr.hostname;
    this.#served = use.serve(connection, (request, info) => this.#answer(request, info));
    this.closed = this.#served.finished.catch(() => {}); // the client broke the connection
  }

  /**
   * Whether every request on it still waits for its body, or there is none: the connection may be
   * closed in favour of another.
   */
  get spare(): boolean {
    return this.#running === this.#bodies.size;
  }

  /** The connection with the lowest value is closed first. */
  get lastEvent(): number {
    return this.#event;
  }

  /** Whether no request is running on it. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** What the answers that are being sent hold in memory, in bytes. */
  get heldBytes(): number {
    return this.#sendings.values().reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  /** Closes it if its client has not read any of an answer for that long. */
  cutStalled(now: number, ms: number): void {
    for (const sending of this.#sendings) if (sending.stalledMs(now) > ms) this.abort();
  }

  /** Ends the connection if one of its time limits is exceeded. */
  checkTime(now: number, { headerMs, bodyMs, writeMs, idleMs }: TimeLimits): void {
    this.cutStalled(now, writeMs);
    this.#since ??= now;
    const waited = now - this.#since;
    if (this.#bodies.size > 0) {
      const late = `The body of the request did not arrive within ${bodyMs} ms`;
      if (waited > bodyMs) this.end(new ServiceError("request_timeout", late));
    } else if (this.#running === 0 && waited > (this.#asked ? idleMs : headerMs)) this.abort();
  }

  /**
   * Closes it immediately, or after sending the answer `reason` to requests whose bodies have not
   * arrived.
   */
  end(reason: Error): void {
    this.#ending = true;
    if (this.#running === 0) this.abort();
    for (const cut of this.#bodies) cut(reason);
    this.#bodies.clear();
  }

  /** Closes it after answering the requests that have arrived. */
  async shutdown(): Promise<void> {
    if (this.#running === 0) this.abort();
    else await this.#served.shutdown();
    await this.closed;
  }

  admit(asked: Asked): void {
    this.use.room.admit(this, asked);
  }

  async reserve(): Promise<boolean> {
    this.#gone ??= abortWith(this.closed);
    try {
      this.#permit ??= await this.use.room.reserve(this.address, this.#gone);
      return true;
    } catch (error) {
      if (this.#gone.aborted) return false;
      throw error;
    }
  }

  holdBody(bytes: number): void {
    this.use.room.holdBody(bytes);
    this.#bodyBytes += bytes;
  }

  awaitBody(cut: CutBody): void {
    this.#note();
    this.#bodies.add(cut);
  }

  endBody(cut: CutBody): void {
    this.#bodies.delete(cut);
    this.use.room.holdBody(-this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  abort(): void {
    this.#served.abort();
  }

  async #answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    this.#asked = true;
    this.#running++;
    let sending: Sending | undefined;
    try {
      const response = await this.use.answer(request, this);
      sending = findSending(response);
      return response;
    } finally {
      const place = this.#permit;
      this.#permit = undefined;
      if (sending === undefined) place?.[Symbol.dispose]();
      else this.#follow(sending, info, place);
      this.#finish();
    }
  }

  /** A request is not finished until the last byte of its answer is sent. */
  #follow(sending: Sending, { completed }: Deno.ServeHandlerInfo, place?: Permit): void {
    this.#running++;
    this.#sendings.add(sending);
    completed.catch(() => {}).then(() => {
      place?.[Symbol.dispose]();
      this.#sendings.delete(sending);
      this.#finish();
    });
  }

  #finish(): void {
    this.#running--;
    this.#note();
    // an unread body would keep the connection open
    if (this.#ending && this.#running === 0) setTimeout(() => this.abort(), LINGER_MS);
  }

  #note(): void {
    this.#event = ++events;
    this.#since = undefined;
  }
}

function abortWith(closed: Promise<void>): AbortSignal {
  const controller = new AbortController();
  closed.then(() =>
    controller.abort(new DOMException("The client has disconnected", "AbortError"))
  );
  return controller.signal;
}
