/**
 * Detects changes on a screen whose system does not report them: compares pictures on request and,
 * while a caller waits for a change, repeatedly.
 */

import { pause } from "../../core/deadline.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import { SharedRun } from "../../core/shared_run.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import { boxAround } from "../../imaging/boxes.ts";
import type {
  Changes,
  ChangeState,
  CursorState,
  MeasuredBackend,
  Region,
  ScreenAddress,
  Seen,
  Size,
} from "../types/mod.ts";

/** The first and the longest pause between two polls while a caller waits; the pauses grow. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** For polls that take only milliseconds. */
const SHORT_BACKOFF: Pauses = { firstMs: 30, longestMs: 250 };
const BACKOFF_GROWTH = 1.3;

/** Takes pictures of a screen and compares each with the one before. */
export interface ScreenPoller extends Disposable {
  /** Whether it still works; if not, it must be opened again. */
  readonly connected: boolean;
  poll(): Promise<PollResult>;
  /** Whether the picture of the last poll shows this, too. */
  shows(seen: Seen): Promise<boolean>;
  cursor(): Promise<CursorState>;
}

export interface PollResult {
  readonly size: Size;
  /** Areas that together cover every difference. */
  readonly areas: readonly Region[];
}

/** Counts the changes on a screen, and keeps their areas. */
export abstract class LoggedChanges {
  protected readonly log = new ChangeLog();
  /** What the last poll found. */
  protected last: ChangeState | undefined;
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #polls = new SharedRun(async () => {
    const size = await this.collect();
    return this.last = { run: this.#run, count: this.log.count, size };
  });

  /** Calls that come while a poll is under way share the next one. */
  poll(): Promise<ChangeState> {
    return this.#polls.run();
  }

  since(count: number): readonly Region[] | undefined {
    return this.log.since(count);
  }

  /** Adds every change up to now to the log. Returns the size of the screen. */
  protected abstract collect(): Promise<Size>;
}

export class ComparedChanges extends LoggedChanges implements Changes, Disposable {
  readonly source = "comparison";
  /** The time of the last poll: its start while it runs, then its end. */
  #polledAt = -Infinity;

  constructor(
    private readonly poller: ScreenPoller,
    private readonly pauses: Pauses = SHORT_BACKOFF,
  ) {
    super();
  }

  get connected(): boolean {
    return this.poller.connected;
  }

  async next(count: number, signal: AbortSignal): Promise<void> {
    const { firstMs, longestMs } = this.pauses;
    let pauseMs = firstMs;
    while (this.log.count <= count) {
      await pause(this.#polledAt + pauseMs - performance.now(), signal);
      // another waiting caller may have polled meanwhile
      if (performance.now() - this.#polledAt >= pauseMs) await this.poll();
      pauseMs = Math.min(pauseMs * BACKOFF_GROWTH, longestMs);
    }
    signal.throwIfAborted();
  }

  shows(seen: Seen): Promise<boolean> {
    return this.poller.shows(seen);
  }

  cursor(): Promise<CursorState> {
    return this.poller.cursor();
  }

  [Symbol.dispose](): void {
    this.poller[Symbol.dispose]();
  }

  protected async collect(): Promise<Size> {
    this.#polledAt = performance.now();
    try {
      const { size, areas } = await this.poller.poll();
      if (areas.length > 0) this.log.add(areas);
      return size;
    } finally {
      this.#polledAt = performance.now();
    }
  }
}

// The areas that changed recently, with the number of each change.

/** Changes kept; a picture older than the oldest counts as changed completely. */
const MAX_CHANGES = 1_024;
/** A change with more areas is kept as their bounding box. */
const MAX_AREAS = 32;

export class ChangeLog {
  #count = 0;
  /** The areas of the latest changes, oldest first. */
  readonly #areas: (readonly Region[])[] = [];

  get count(): number {
    return this.#count;
  }

  add(areas: readonly Region[]): void {
    this.#count++;
    this.#areas.push(areas.length > MAX_AREAS ? [boxAround(areas)] : areas);
    if (this.#areas.length > MAX_CHANGES) this.#areas.shift();
  }

  /** All areas that changed after number `count`; `undefined` when these are no longer all kept. */
  since(count: number): readonly Region[] | undefined {
    const wanted = this.#count - count;
    if (wanted > this.#areas.length) return undefined;
    return wanted === 0 ? [] : this.#areas.slice(-wanted).flat();
  }
}

// Polls a screen in its own thread, because a comparison would delay requests by milliseconds.

export interface PollRequest {
  /** A {@link Seen}: whether the last picture shows it. */
  readonly ask: "poll" | "cursor" | Seen;
  readonly address: ScreenAddress<MeasuredBackend>;
}

export class WorkerPoller implements ScreenPoller {
  readonly #pool = new WorkerPool<PollRequest, PollResult | CursorState | boolean>({
    module: new URL("./poll_worker.ts", import.meta.url),
    name: "comparing",
    threads: 1,
  });

  constructor(private readonly address: ScreenAddress<MeasuredBackend>) {}

  /** A thread that crashed has lost the picture to compare with. */
  get connected(): boolean {
    return this.#pool.failure === undefined;
  }

  poll(): Promise<PollResult> {
    return this.#ask("poll") as Promise<PollResult>;
  }

  shows(seen: Seen): Promise<boolean> {
    return this.#ask(seen) as Promise<boolean>;
  }

  cursor(): Promise<CursorState> {
    return this.#ask("cursor") as Promise<CursorState>;
  }

  [Symbol.dispose](): void {
    this.#pool.end(notMonitored());
  }

  async #ask(ask: PollRequest["ask"]): Promise<PollResult | CursorState | boolean> {
    if (!this.connected) throw this.#pool.failure;
    return await this.#pool.run({ ask, address: this.address });
  }
}

function notMonitored(): ServiceError {
  return new ServiceError("unavailable", "The display is no longer monitored");
}

// Follows a screen at its current place; after a move or a change of size or scale it counts as another
// screen.

type Address = ScreenAddress<MeasuredBackend>;

/** The worker of one address, and whether it has a picture to compare with. */
type Followed = { readonly name: string; readonly worker: WorkerPoller; hasPolled: boolean };

export class MovingPoller implements ScreenPoller, AsyncDisposable {
  #followed: Followed | undefined;
  /** The size of the screen at the last poll, if any. */
  #seen: Size | undefined;
  #polling: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /**
   * @param locate gives the address of the screen as the system reports it now
   * @param findCursor where its worker does not know the cursor
   */
  constructor(
    private readonly locate: () => Address | Promise<Address>,
    private readonly findCursor?: () => Promise<CursorState>,
  ) {}

  get connected(): boolean {
    return !this.#hasEnded;
  }

  /** Do not call it while another poll is under way. */
  poll(): Promise<PollResult> {
    const result = this.#poll();
    this.#polling = result.catch(() => {});
    return result;
  }

  async shows(seen: Seen): Promise<boolean> {
    return await this.#followed?.worker.shows(seen) ?? false;
  }

  async cursor(): Promise<CursorState> {
    if (this.findCursor !== undefined) return await this.findCursor();
    return await this.#follow(await this.locate()).worker.cursor();
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#leave();
  }

  /** Waits for a poll that is under way, which removes its picture file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.#polling;
    this.#leave();
  }

  async #poll(): Promise<PollResult> {
    const followed = this.#follow(await this.locate());
    try {
      const { size, areas } = await followed.worker.poll();
      const isOther = !followed.hasPolled && this.#seen !== undefined;
      followed.hasPolled = true;
      this.#seen = size;
      return { size, areas: isOther ? [{ x: 0, y: 0, ...size }] : areas };
    } catch (error) {
      // the size has just changed and the system has not reported it yet: all of it has changed
      const size = this.#seen;
      if (!hasCode(error, "conflict") || size === undefined) throw error;
      this.#leave();
      return { size, areas: [{ x: 0, y: 0, ...size }] };
    }
  }

  #follow(address: Address): Followed {
    if (this.#hasEnded) throw notMonitored();
    const known = this.#followed;
    if (known?.name === address.name && known.worker.connected) return known;
    this.#leave();
    const worker = new WorkerPoller(address);
    return this.#followed = { name: address.name, worker, hasPolled: false };
  }

  #leave(): void {
    this.#followed?.worker[Symbol.dispose]();
    this.#followed = undefined;
  }
}
