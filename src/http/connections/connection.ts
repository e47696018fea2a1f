/** One connection of a client: what it is waiting for, since when, and how it is ended. */

import { ServiceError } from "../../core/errors.ts";
import type { Answer, Asked, Caller } from "./caller.ts";
import { type Sending, sendingOf } from "./long_answers.ts";
import type { ServeConnection, ServedConnection } from "./serve_connection.ts";

export interface TimeLimits {
  /** For the first request to arrive, in milliseconds. */
  readonly headerMs: number;
  /** For the body of a request to arrive, in milliseconds. */
  readonly bodyMs: number;
  /** For the client to take something of an answer, in milliseconds. */
  readonly writeMs: number;
  /** Between two requests, in milliseconds. */
  readonly idleMs: number;
}

export interface ConnectionUse {
  readonly serve: ServeConnection;
  /** What answers the next request. */
  readonly answer: () => Answer;
  /** @throws ServiceError when there is no room for such a request. */
  readonly admit: (connection: Connection, asked: Asked) => void;
}

/** For the last answer to be sent, before a connection is closed whose request never came whole. */
const LINGER_MS = 200;

export class Connection {
  /** The client's address, without the port. */
  readonly address: string;
  /** Resolves when it is closed, whoever closed it. */
  readonly closed: Promise<void>;
  readonly #remote: Deno.NetAddr;
  readonly #local: Deno.NetAddr;
  readonly #served: ServedConnection;
  /** Cuts the bodies that are being read. */
  readonly #bodies = new Set<(reason: Error) => void>();
  /** Long answers that are being sent. */
  readonly #sendings = new Set<Sending>();
  /** Requests that are being answered. */
  #running = 0;
  #asked = false;
  /** Since when it has been idle, or waiting for the body that came last. */
  #since = performance.now();
  /** It is to be closed as soon as nothing runs on it. */
  #ending = false;

  constructor(connection: Deno.TcpConn, private readonly use: ConnectionUse) {
    this.#remote = connection.remoteAddr;
    this.#local = connection.localAddr;
    this.address = this.#remote.hostname;
    this.#served = use.serve(connection, (request, info) => {
      this.#asked = true;
      this.#running++;
      return this.#answer(request, info);
    });
    this.closed = this.#served.finished.catch(() => {}); // the client broke it
  }

  /** Whether it asks for nothing that is being done: it may be closed for another. */
  get spare(): boolean {
    return this.#running === this.#bodies.size;
  }

  /** When it last did something; the lowest is closed first. */
  get since(): number {
    return this.#since;
  }

  /** Whether a request has come whole on it. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** Ends it where one of its times is over. */
  checkTime(now: number, { headerMs, bodyMs, writeMs, idleMs }: TimeLimits): void {
    for (const sending of this.#sendings) if (sending.stalledMs(now) > writeMs) this.abort();
    const waited = now - this.#since;
    if (this.#bodies.size > 0) {
      if (waited > bodyMs) this.end(new ServiceError("request_timeout", bodyTooSlow(bodyMs)));
    } else if (this.#running === 0 && waited > (this.#asked ? idleMs : headerMs)) this.abort();
  }

  /** Closes it now, or after the answer `reason` to requests whose bodies have not come. */
  end(reason: Error): void {
    this.#ending = true;
    if (this.#running === 0) this.abort();
    for (const cut of this.#bodies) cut(reason);
    this.#bodies.clear();
  }

  /** Closes it after the answers to the requests that have come. */
  async shutdown(): Promise<void> {
    if (this.#running === 0) this.abort();
    else await this.#served.shutdown();
    await this.closed;
  }

  /** Closes it now. */
  abort(): void {
    this.#served.abort();
  }

  async #answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const caller: Caller = {
      remoteAddr: this.#remote,
      localAddr: this.#local,
      awaitBody: (cut) => this.#awaitBody(cut),
      admit: (asked) => this.use.admit(this, asked),
    };
    try {
      const response = await this.use.answer()(request, caller);
      const sending = sendingOf(response);
      if (sending !== undefined) this.#follow(sending, info);
      return response;
    } finally {
      this.#finish();
    }
  }

  /** It is not done until the last byte is sent. */
  #follow(sending: Sending, { completed }: Deno.ServeHandlerInfo): void {
    this.#running++;
    this.#sendings.add(sending);
    completed.catch(() => {}).then(() => {
      this.#sendings.delete(sending);
      this.#finish();
    });
  }

  #awaitBody(cut: (reason: Error) => void): () => void {
    this.#since = performance.now();
    this.#bodies.add(cut);
    return () => this.#bodies.delete(cut);
  }

  #finish(): void {
    this.#running--;
    this.#since = performance.now();
    // a body that was never read would keep it open
    if (this.#ending && this.#running === 0) setTimeout(() => this.abort(), LINGER_MS);
  }
}

function bodyTooSlow(bodyMs: number): string {
  return `The body of the request did not arrive within ${bodyMs} ms`;
}
