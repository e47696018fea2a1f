/**
 * What a route knows about a request besides the request itself, and the context of its handler, whose
 * costly parts are created on first use.
 */

import type { Context as RouteContext, Handler, Hono } from "hono";
import type { Config } from "../config/config.ts";
import { CALLER_LEFT } from "../core/deadline.ts";
import { type Actor, ANYONE } from "../features/actor.ts";
import type { Services } from "../features/call/callables.ts";
import type { ByteRange, Calls, Context } from "../features/context.ts";
import { Control } from "../features/control/control.ts";
import type { Passage } from "../features/control/passage.ts";
import type { Timings } from "../features/figures.ts";
import type { Session } from "../features/session.ts";
import type { Platform } from "../platform/types/mod.ts";
import type { Caller } from "./connections/connections.ts";

export interface Incoming {
  /** Absent when a test calls the app without a connection. */
  readonly caller: Caller | undefined;
  readonly requestId: string;
  /** The path by which the route is found. */
  readonly path: string;
  /** Whose token it carries; set once it has passed the guard. */
  actor?: Actor;
  /** Whether it only asks for readiness, without a token: it learns yes or no, and no reasons. */
  isProbe?: boolean;
  /** The most bytes of its body, where they are not those of the configuration. */
  readonly maxBodyBytes?: number;
  /** The computer's path prefix in the address, `/desk-1`; absent if there is none. */
  base?: string;
  /** The fields that the operation does not know, as the header names them. */
  ignored?: string;
  /** What its program has to know since a person has handed back control. */
  notice?: string | undefined;
  /** Where it is counted; absent for what reaches no operation. */
  timings?: Timings;
  /** Keeps the answer of a request with a key, and gives the one to send. */
  keep?: (response: Response) => Promise<Response>;
}

interface HttpEnv {
  Bindings: Incoming;
}

export type HttpApp = Hono<HttpEnv>;
export type HttpContext = RouteContext<HttpEnv>;
export type HttpHandler = Handler<HttpEnv>;

/** What all requests share. */
export interface Shared extends Services {
  readonly calls: Calls;
}

/** An entity tag without the prefix of a weak one; the tag may contain commas. */
const OPAQUE_TAG = /"[^"]*"/g;

export class RequestContext implements Context {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  readonly calls: Calls;
  readonly log: Shared["log"];
  readonly actor: Actor;
  readonly requestId: string;
  #passage: Passage | undefined;
  readonly #request: Request;
  readonly #caller: Caller | undefined;
  #client: ClientWatch | undefined;
  #finished = false;

  constructor(
    shared: Shared,
    request: Request,
    { caller, actor = ANYONE, requestId }: Pick<Incoming, "caller" | "actor" | "requestId">,
  ) {
    this.platform = shared.platform;
    this.config = shared.config;
    this.session = shared.session;
    this.calls = shared.calls;
    this.log = shared.log;
    this.actor = withLease(actor, shared.session, request);
    this.requestId = requestId;
    this.#request = request;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    this.#client ??= this.#watch();
    return this.#client.aborter.signal;
  }

  /** Weak comparison, as RFC 9110 (13.1.2) requires for `If-None-Match`. */
  hasCurrent(tag: string): boolean {
    const known = this.#request.headers.get("if-none-match");
    if (known === null) return false;
    if (known.trim() === "*") return true;
    const tags: readonly string[] = known.match(OPAQUE_TAG) ?? [];
    return tags.includes(tag);
  }

  wantedRange(size: number, tag: string): ByteRange | undefined {
    const { headers } = this.#request;
    const condition = headers.get("if-range");
    if (condition !== null && condition !== tag) return undefined; // it has another file
    return readByteRange(headers.get("range"), size);
  }

  get lastEventId(): string | undefined {
    return this.#request.headers.get("last-event-id") ?? undefined;
  }

  /** Whether the client was seen to disconnect while the handler ran. */
  get clientGone(): boolean {
    return this.#client?.aborter.signal.aborted ?? false;
  }

  /** Marks the handler as finished: the signal no longer changes. */
  finish(): void {
    this.#finished = true;
    this.#client?.stop();
  }

  get passage(): Passage | undefined {
    return this.#passage;
  }

  /** From now on the signal also aborts when the operation is over. */
  begin(passage: Passage): void {
    this.#passage = passage;
    const aborter = this.#client?.aborter;
    if (aborter !== undefined) passage.onOver((reason) => aborter.abort(reason));
  }

  /**
   * Watches the client only while the handler runs, because the request's own signal may also fire
   * after a successful answer. Also watches the connection, because for a request that arrived in
   * several pieces that signal may never fire.
   */
  #watch(): ClientWatch {
    const aborter = new AbortController();
    if (this.#finished) return { aborter, stop() {} };
    const source = this.#request.signal;
    const abort = () => aborter.abort(CALLER_LEFT);
    if (source.aborted) abort();
    source.addEventListener("abort", abort);
    this.#passage?.onOver((reason) => aborter.abort(reason));
    const peer = this.#watchPeer(abort);
    return {
      aborter,
      stop() {
        source.removeEventListener("abort", abort);
        peer?.[Symbol.dispose]();
      },
    };
  }

  #watchPeer(gone: () => void): Disposable | undefined {
    const { peers } = this.platform;
    const remote = this.#caller?.remoteAddr;
    if (!peers.ready || remote?.transport !== "tcp") return undefined;
    return peers.use.watch({ remote, local: this.#caller?.localAddr }, gone);
  }
}

/** The header is read only while there is a lease: that takes a microsecond. */
function withLease(actor: Actor, session: Session, { headers }: Request): Actor {
  if (!session.use(Control).isLeased) return actor;
  const lease = headers.get("x-control-lease");
  return lease === null ? actor : { ...actor, lease };
}

interface ClientWatch {
  readonly aborter: AbortController;
  stop(): void;
}

// Reads the `Range` header (RFC 9110, 14.2).

/** One range; several, and other units, are ignored, which the standard permits. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** `undefined` when the whole file is to be sent: also where the range lies beyond its end. */
function readByteRange(header: string | null, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = ONE_RANGE.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const range = first === ""
    ? { start: Math.max(0, size - Number(last)), end: size }
    : { start: Number(first), end: last === "" ? size : Math.min(size, Number(last) + 1) };
  return range.start < range.end ? range : undefined;
}
