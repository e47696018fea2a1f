/** One connection of a client: what it is waiting for, since when, and how it is ended. */

import { ServiceError } from "../../core/errors.ts";
import type { Answer, Asked, Caller, CutBody } from "./caller.ts";
import { findSending, type Sending } from "./long_answers.ts";
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
  /** What answers the next request; it may be replaced. */
  answer: Answer;
  readonly room: {
    /** @throws ServiceError when there is no room for such a request. */
    admit(connection: Connection, asked: Asked): void;
  };
}

/** For the last answer to be sent, before a connection is closed whose request never came whole. */
const LINGER_MS = 200;

/** How often any connection has done something. */
let events = 0;

/** It is the caller of all its requests, so that none of them needs an object of its own. */
export class Connection implements Caller {
  readonly remoteAddr: Deno.NetAddr;
  readonly localAddr: Deno.NetAddr;
  /** The client's address, without the port. */
  readonly address: string;
  /** Resolves when it is closed, whoever closed it. */
  readonly closed: Promise<void>;
  readonly #served: ServedConnection;
  /** Cuts the bodies that are being read. */
  readonly #bodies = new Set<CutBody>();
  /** Long answers that are being sent. */
  readonly #sendings = new Set<Sending>();
  /** Requests that are being answered. */
  #running = 0;
  #asked = false;
  /** Its place in the order of events when it last did something. */
  #event = ++events;
  /** The first look at the time after that: the clock costs more than it is worth to each request. */
  #since: number | undefined;
  /** It is to be closed as soon as nothing runs on it. */
  #ending = false;

  constructor(connection: Deno.TcpConn, private readonly use: ConnectionUse) {
    this.remoteAddr = connection.remoteAddr;
    this.localAddr = connection.localAddr;
    this.address = this.remoteAddr.hostname;
    this.#served = use.serve(connection, (request, info) => this.#answer(request, info));
    this.closed = this.#served.finished.catch(() => {}); // the client broke it
  }

  /** Whether it asks for nothing that is being done: it may be closed for another. */
  get spare(): boolean {
    return this.#running === this.#bodies.size;
  }

  /** The lowest is closed first. */
  get lastEvent(): number {
    return this.#event;
  }

  /** Whether a request has come whole on it. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** Ends it where one of its times is over. */
  checkTime(now: number, { headerMs, bodyMs, writeMs, idleMs }: TimeLimits): void {
    for (const sending of this.#sendings) if (sending.stalledMs(now) > writeMs) this.abort();
    this.#since ??= now;
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

  admit(asked: Asked): void {
    this.use.room.admit(this, asked);
  }

  awaitBody(cut: CutBody): void {
    this.#note();
    this.#bodies.add(cut);
  }

  endBody(cut: CutBody): void {
    this.#bodies.delete(cut);
  }

  /** Closes it now. */
  abort(): void {
    this.#served.abort();
  }

  async #answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    this.#asked = true;
    this.#running++;
    try {
      const response = await this.use.answer(request, this);
      const sending = findSending(response);
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

  #finish(): void {
    this.#running--;
    this.#note();
    // a body that was never read would keep it open
    if (this.#ending && this.#running === 0) setTimeout(() => this.abort(), LINGER_MS);
  }

  #note(): void {
    this.#event = ++events;
    this.#since = undefined;
  }
}

function bodyTooSlow(bodyMs: number): string {
  return `The body of the request did not arrive within ${bodyMs} ms`;
}
