/**
 * All open connections: limits their number, chooses which one to close for a new one, and enforces
 * time limits.
 */

import { CALLER_LEFT, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { type Permit, Semaphore } from "../../core/locks.ts";
import { findSending, type Sending } from "./long_answers.ts";
import type { ServeConnection, ServedConnection } from "./serve_connection.ts";

export interface ConnectionLimits {
  /** Limit for all clients together. */
  readonly max: number;
  readonly maxPerAddress: number;
  /** Time for the first request to arrive, in milliseconds. */
  readonly headerMs: number;
  /** Time for the body of a request to arrive, in milliseconds. */
  readonly bodyMs: number;
  /** Time for the client to read some part of an answer, in milliseconds. */
  readonly writeMs: number;
  /** Time between two requests, in milliseconds. */
  readonly idleMs: number;
}

/** Connections beyond the limit that are accepted for urgent requests while all others are busy. */
export const EXTRA = 8;
/** The share of connections that is reserved for short requests. */
const RESERVED_PART = 1 / 8;

/** Large answers that are made and sent at a time: some 8 MiB each, for all clients together. */
const LARGE_ANSWERS = 16;
export const LARGE_ANSWERS_PER_ADDRESS = 12;
/** Requests that may wait to make one. */
const MAX_WAITING = 128;
/**
 * What all answers may hold in memory before those are cut that nobody reads, and what large bodies
 * may hold while they arrive, in bytes.
 */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/** Time after which nobody reads an answer, while others wait for its memory. */
const UNREAD_MS = 3_000;

/** After a pause of so many intervals the process was suspended, and nobody is late. */
const SUSPENDED_INTERVALS = 8;
/** Longest interval between time checks, in milliseconds. */
const MAX_CHECK_INTERVAL_MS = 1_000;

export class Connections {
  readonly #open = new Set<Connection>();
  readonly #perAddress = new Map<string, number>();
  #bodyBytes = 0;
  readonly #large = largeAnswers(LARGE_ANSWERS);
  readonly #largePerAddress = new Map<string, Semaphore>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #checkedAt = Infinity;

  constructor(private readonly limits: ConnectionLimits) {}

  get size(): number {
    return this.#open.size;
  }

  /** Whether a request is being answered, or a WebSocket is open. */
  get busy(): boolean {
    return this.#open.values().some(({ idle }) => !idle);
  }

  /** Tracks a connection until it is closed. */
  add(connection: Connection): void {
    this.#open.add(connection);
    this.#perAddress.set(connection.address, this.#count(connection.address) + 1);
    connection.closed.then(() => this.#remove(connection));
    this.#timer ??= setInterval(() => this.#checkTimes(), checkIntervalMs(this.limits));
  }

  /**
   * Makes room for one more connection from `address`: if there are too many, closes the one that
   * has been unused longest.
   * @returns `false` when all of them are busy.
   */
  makeRoom(address: string): boolean {
    const { max, maxPerAddress } = this.limits;
    const count = this.#count(address);
    if (count >= maxPerAddress) return this.endOldest(address) || count < maxPerAddress + EXTRA;
    return this.#open.size < max || this.endOldest() || this.#open.size < max + EXTRA;
  }

  /**
   * Reserves the last eighth of all connections, and of those per address, for short requests. The
   * few connections beyond the limit may answer only urgent requests.
   * @throws ServiceError `unavailable`
   */
  admit(connection: Connection, traits: RequestTraits): void {
    if (traits.urgent) return;
    const { max, maxPerAddress } = this.limits;
    const { address } = connection;
    if (this.#open.size >= roomFor(max, traits)) this.#checkRoom(roomFor(max, traits), () => true);
    if (this.#count(address) < roomFor(maxPerAddress, traits)) return;
    this.#checkRoom(roomFor(maxPerAddress, traits), (each) => each.address === address);
  }

  /**
   * Waits until there is memory for one more large answer; the permit is held until it is sent. The
   * connections of clients that do not read theirs are closed meanwhile.
   * @throws ServiceError `unavailable` when too many wait
   */
  async reserve(address: string, signal: AbortSignal): Promise<Permit> {
    const capacity = new DisposableStack();
    try {
      capacity.use(await this.#largeOf(address).acquire(signal));
      capacity.use(await this.#large.acquire(signal));
      return capacity;
    } catch (error) {
      capacity.dispose();
      throw error;
    }
  }

  /**
   * Counts the bytes of large bodies that are arriving.
   * @throws ServiceError `unavailable` when there are too many
   */
  holdBody(bytes: number): void {
    if (bytes > 0 && this.#bodyBytes + bytes > MAX_HELD_BYTES) {
      throw new ServiceError("unavailable", "Too many large bodies are arriving: try again");
    }
    this.#bodyBytes += bytes;
  }

  #largeOf(address: string): Semaphore {
    const make = () => largeAnswers(LARGE_ANSWERS_PER_ADDRESS);
    return this.#largePerAddress.getOrInsertComputed(address, make);
  }

  /** The requesting connection counts as busy. */
  #checkRoom(room: number, isMeant: (connection: Connection) => boolean): void {
    let busy = 0;
    for (const each of this.#open) if (!each.spare && isMeant(each)) busy++;
    if (busy > room) {
      throw new ServiceError("unavailable", "Too many requests are being processed: try again");
    }
  }

  /** Closes the longest unused connection, of one address or of all. */
  endOldest(address?: string): boolean {
    let oldest: Connection | undefined;
    for (const connection of this.#open) {
      if (!connection.spare || (address !== undefined && connection.address !== address)) continue;
      if (oldest === undefined || comesBefore(connection, oldest)) oldest = connection;
    }
    if (oldest === undefined) return false;
    this.#remove(oldest);
    oldest.end(new ServiceError("unavailable", "Too many connections: try again"));
    return true;
  }

  /** Closes all connections after answering the requests that have arrived. */
  async shutdown(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.shutdown()));
  }

  #count(address: string): number {
    return this.#perAddress.get(address) ?? 0;
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const left = this.#count(connection.address) - 1;
    if (left > 0) this.#perAddress.set(connection.address, left);
    else {
      this.#perAddress.delete(connection.address);
      this.#largePerAddress.delete(connection.address);
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#checkedAt = Infinity;
  }

  #checkTimes(): void {
    const now = performance.now();
    const paused = now - this.#checkedAt;
    this.#checkedAt = now;
    if (paused > SUSPENDED_INTERVALS * checkIntervalMs(this.limits)) {
      for (const connection of this.#open) connection.waitAnew();
      return;
    }
    for (const connection of this.#open) connection.checkTime(now, this.limits);
    if (!this.#isShortOfMemory()) return;
    for (const connection of this.#open) connection.cutStalled(now, UNREAD_MS);
  }

  #isShortOfMemory(): boolean {
    if (this.#large.waiting > 0) return true;
    if (this.#largePerAddress.values().some(({ waiting }) => waiting > 0)) return true;
    return this.#open.values().reduce((sum, { heldBytes }) => sum + heldBytes, 0) > MAX_HELD_BYTES;
  }
}

function largeAnswers(capacity: number): Semaphore {
  const text = "Too many large answers are being sent: try again";
  const full = () => new ServiceError("unavailable", text);
  return new Semaphore({ capacity, maxWaiting: MAX_WAITING, full });
}

function roomFor(max: number, { long }: RequestTraits): number {
  return long ? max - Math.ceil(max * RESERVED_PART) : max;
}

/** Idle connections go before those that are still sending a request. */
function comesBefore(one: Connection, other: Connection): boolean {
  return one.idle === other.idle ? one.lastEvent < other.lastEvent : one.idle;
}

/**
 * Starts timing at the first check after an event; checks often enough that no limit is exceeded by
 * much more than a quarter.
 */
function checkIntervalMs({ headerMs, bodyMs, writeMs, idleMs }: ConnectionLimits): number {
  return Math.max(
    10,
    Math.min(MAX_CHECK_INTERVAL_MS, ...[headerMs, bodyMs, writeMs, idleMs].map((ms) => ms / 8)),
  );
}

// One connection of a client: what it waits for, since when, and how it ends.

/** The properties of a request that matter while nearly all connections are in use. */
export interface RequestTraits {
  /** Whether the request may take minutes. */
  readonly long?: boolean;
  /** Whether the request must be answered under any load. */
  readonly urgent?: boolean;
}

/** Aborts the reading of a body; `reason` is the answer to give. */
export type CutBody = (reason: Error) => void;

/**
 * What answering a request may know about its connection, and report to it. A plain `Deno.serve`
 * knows the client's address alone, and limits nothing.
 */
export type Caller =
  & { readonly remoteAddr: Deno.Addr }
  & Partial<
    Pick<
      Connection,
      "localAddr" | "awaitBody" | "endBody" | "admit" | "reserve" | "holdBody" | "abort" | "closed"
    >
  >;

/** Answers requests; never rejects. */
export type Answer = (request: Request, caller: Caller) => Response | Promise<Response>;

export interface ConnectionUse {
  readonly serve: ServeConnection;
  /** Answers the next request; replaceable. */
  answer: Answer;
  readonly room: Connections;
}

/**
 * Time to send the last answer before closing a connection whose request never arrived completely,
 * in milliseconds.
 */
const LINGER_MS = 200;

/** The status of the response that opens a WebSocket. */
const SWITCHING = 101;

/** Activity counter of all connections. */
let events = 0;

/** Serves as the caller of all its requests, so that none needs an object of its own. */
export class Connection {
  readonly remoteAddr: Deno.NetAddr;
  readonly localAddr: Deno.NetAddr;
  /** The client's address, without the port. */
  readonly address: string;
  /**
   * Resolves when the connection is closed by either side. This stops no request that is running:
   * `http/context.ts` does.
   */
  readonly closed: Promise<void>;
  readonly #served: ServedConnection;
  readonly #bodies = new Set<CutBody>();
  readonly #sendings = new Set<Sending>();
  #running = 0;
  #used = false;
  /** What the large body that is arriving holds in memory. */
  #bodyBytes = 0;
  /** The permit for the large answer that is being made. */
  #permit: Permit | undefined;
  /** Aborts when the connection is closed, once something waits for that. */
  #gone: AbortSignal | undefined;
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
  checkTime(now: number, { headerMs, bodyMs, writeMs, idleMs }: ConnectionLimits): void {
    this.cutStalled(now, writeMs);
    this.#since ??= now;
    const waited = now - this.#since;
    if (this.#bodies.size > 0) {
      const late = `The body of the request did not arrive within ${bodyMs} ms`;
      if (waited > bodyMs) this.end(new ServiceError("request_timeout", late));
    } else if (this.#running === 0 && waited > (this.#used ? idleMs : headerMs)) this.abort();
  }

  /** The time for what it waits for begins anew: what its client has sent may not have been read yet. */
  waitAnew(): void {
    this.#since = undefined;
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
    const served = this.#served.shutdown();
    if (this.#running === 0) {
      // the last answer may not have been sent yet
      if (this.#used) await within(served.catch(() => {}), LINGER_MS);
      this.abort();
    } else await served;
    await this.closed;
  }

  /**
   * Must be called before any work is done.
   * @throws ServiceError `unavailable` when too many connections are busy to admit this one
   */
  admit(traits: RequestTraits): void {
    this.use.room.admit(this, traits);
  }

  /**
   * Must be awaited before a large answer is made: resolves when there is memory for it, with
   * whether the client still waits.
   * @throws ServiceError `unavailable` when too many wait for that
   */
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

  /**
   * Reports that so many bytes of a large body have come, until {@link endBody}.
   * @throws ServiceError `unavailable` when all bodies that are arriving are too much
   */
  holdBody(bytes: number): void {
    this.use.room.holdBody(bytes);
    this.#bodyBytes += bytes;
  }

  /**
   * Reports that the body of a request is being read. If that takes too long, `cut` is called with
   * the answer to give.
   */
  awaitBody(cut: CutBody): void {
    this.#note();
    this.#bodies.add(cut);
  }

  /** Reports that the body has arrived, or never will. */
  endBody(cut: CutBody): void {
    this.#bodies.delete(cut);
    this.use.room.holdBody(-this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  abort(): void {
    this.#served.abort();
  }

  async #answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    this.#used = true;
    this.#running++;
    let sending: Sending | undefined;
    try {
      const response = await this.use.answer(request, this);
      sending = findSending(response);
      if (response.status === SWITCHING) this.#running++; // until the socket is closed
      return response;
    } finally {
      const permit = this.#permit;
      this.#permit = undefined;
      if (sending === undefined) permit?.[Symbol.dispose]();
      else this.#follow(sending, info, permit);
      this.#finish();
    }
  }

  /** A request is not finished until the last byte of its answer is sent. */
  #follow(sending: Sending, { completed }: Deno.ServeHandlerInfo, permit?: Permit): void {
    this.#running++;
    this.#sendings.add(sending);
    completed.catch(() => {}).then(() => {
      sending.stop(new Error("Nobody reads it any more")); // where it has not been sent
      permit?.[Symbol.dispose]();
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
  closed.then(() => controller.abort(CALLER_LEFT));
  return controller.signal;
}
