/**
 * All open connections: limits their number, chooses which one to close for a new one, and enforces
 * time limits.
 */

import { ServiceError } from "../../core/errors.ts";
import { type Permit, Semaphore } from "../../core/locks.ts";
import type { Asked } from "./serve_connection.ts";
import type { Connection, TimeLimits } from "./connection.ts";

export interface ConnectionLimits extends TimeLimits {
  /** Limit for all clients together. */
  readonly max: number;
  /** Limit per address. */
  readonly maxPerAddress: number;
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

/** Longest interval between time checks, in milliseconds. */
const MAX_CHECK_INTERVAL_MS = 1_000;

export class Connections {
  readonly #open = new Set<Connection>();
  readonly #perAddress = new Map<string, number>();
  #bodyBytes = 0;
  readonly #large = largeAnswers(LARGE_ANSWERS);
  readonly #largePerAddress = new Map<string, Semaphore>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly limits: ConnectionLimits) {}

  get size(): number {
    return this.#open.size;
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
  admit(connection: Connection, asked: Asked): void {
    if (asked.urgent) return;
    const { max, maxPerAddress } = this.limits;
    const { address } = connection;
    if (this.#open.size >= roomFor(max, asked)) this.#checkRoom(roomFor(max, asked), () => true);
    if (this.#count(address) < roomFor(maxPerAddress, asked)) return;
    this.#checkRoom(roomFor(maxPerAddress, asked), (each) => each.address === address);
  }

  /**
   * Waits until there is memory for one more large answer; the place is held until it is sent. The
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

  holdBody(bytes: number): void {
    if (bytes > 0 && this.#bodyBytes + bytes > MAX_HELD_BYTES) {
      throw new ServiceError("unavailable", "Too many large bodies are arriving: try again");
    }
    this.#bodyBytes += bytes;
  }

  #largeOf(address: string): Semaphore {
    const known = this.#largePerAddress.get(address);
    if (known !== undefined) return known;
    const own = largeAnswers(LARGE_ANSWERS_PER_ADDRESS);
    this.#largePerAddress.set(address, own);
    return own;
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
  }

  #checkTimes(): void {
    const now = performance.now();
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

function roomFor(max: number, { long }: Asked): number {
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
function checkIntervalMs({ headerMs, bodyMs, writeMs, idleMs }: TimeLimits): number {
  return Math.max(
    10,
    Math.min(MAX_CHECK_INTERVAL_MS, ...[headerMs, bodyMs, writeMs, idleMs].map((ms) => ms / 8)),
  );
}
