/**
 * All open connections: limits their number, chooses which one to close for a new one, and enforces
 * time limits.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Asked } from "./caller.ts";
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

/** Longest interval between time checks, in milliseconds. */
const LOOK_MS = 1_000;

export class Connections {
  readonly #open = new Set<Connection>();
  readonly #perAddress = new Map<string, number>();
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
    this.#timer ??= setInterval(() => this.#look(), lookMs(this.limits));
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

  /** The requesting connection counts as busy. */
  #checkRoom(room: number, isMeant: (connection: Connection) => boolean): void {
    let busy = 0;
    for (const each of this.#open) if (!each.spare && isMeant(each)) busy++;
    if (busy > room) {
      throw new ServiceError("unavailable", "Too many requests are being answered: try again");
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
    oldest.end(new ServiceError("unavailable", "There are too many connections: try again"));
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
    else this.#perAddress.delete(connection.address);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.checkTime(now, this.limits);
  }
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
function lookMs({ headerMs, bodyMs, writeMs, idleMs }: TimeLimits): number {
  return Math.max(
    10,
    Math.min(LOOK_MS, ...[headerMs, bodyMs, writeMs, idleMs].map((ms) => ms / 8)),
  );
}
