/**
 * The queue that keeps the input of one display in order: one operation sends at a time;
 * confirmations may overlap.
 */

import type { Limits } from "../../config/limits.ts";
import { pause, unlessAborted } from "../../core/deadline.ts";
import { clientGone, droppedInput, ServiceError, tryTo } from "../../core/errors.ts";
import { type Permit, Semaphore } from "../../core/locks.ts";
import type { Button, Key } from "../../platform/types/mod.ts";

/** A caller that waits for the answer; `signal` aborts when its client disconnects. */
export interface Client {
  readonly signal: AbortSignal;
  /** By which it is known, without a signal, whether it may still send. */
  readonly passage?: { check(): void } | undefined;
}

/** The right to send input to one display; ends when the body that received it returns. */
export class InputLease {
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(private readonly client: Client) {}

  /** Aborts when the client disconnects or release-all ends the lease. Created on first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      const client = this.client.signal;
      if (client.aborted) this.#controller.abort(clientGone());
      else {
        client.addEventListener("abort", () => this.#controller!.abort(clientGone()), {
          once: true,
        });
      }
    }
    return this.#controller.signal;
  }

  /** Waits; rejects immediately when the lease is ended. */
  pause(ms: number): Promise<void> {
    return pause(ms, this.signal);
  }

  /** Resolves with the result of `work`; rejects immediately when the lease is ended. */
  until<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(work, this.signal);
  }

  /**
   * For what sends after it has waited for something else.
   * @throws why the lease has ended, or its client may no longer act
   */
  check(): void {
    if (this.#reason !== undefined) throw this.#reason;
    this.client.passage?.check();
  }

  end(reason: unknown): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * What an operation does while it holds the lock; a body that only sends returns synchronously and
 * costs no promise.
 */
type Body<T> = (lease: InputLease) => T | Promise<T>;

export class InputLock {
  #current: InputLease | undefined;
  readonly #order = new Semaphore({ capacity: 1 });
  /** Why the most recently dropped bodies were dropped. */
  #dropped: ServiceError | undefined;

  constructor(private readonly maxWaiting: number) {}

  /** The number of waiting operations. */
  get waiting(): number {
    return this.#order.waiting;
  }

  /**
   * Runs `body` when all earlier ones have returned; immediately and without a promise if there are
   * none.
   * @throws ServiceError `unavailable` when too many wait, `conflict` when release-all drops it,
   * `locked` when its client may no longer act.
   */
  run<T>(client: Client, body: Body<T>): T | Promise<T> {
    client.passage?.check(); // it may have ended on its way here
    const free = this.#order.tryAcquire();
    if (free !== undefined) return this.#start(free, client, body);
    if (this.#order.waiting >= this.maxWaiting) {
      throw new ServiceError(
        "unavailable",
        `Cannot queue the input: ${this.maxWaiting} operations are already queued for this display`,
      );
    }
    return this.#wait(client, body);
  }

  /**
   * Ends the running operation, drops the waiting ones, and runs `body` before any later operation.
   */
  async preempt(body: () => Promise<void>): Promise<void> {
    const reason = droppedInput();
    this.#dropped = reason;
    this.#order.drop(reason);
    const permit = this.#order.acquire(undefined, { unconditional: true });
    this.#current?.end(reason);
    await this.#start(await permit, { signal: new AbortController().signal }, body);
  }

  async #wait<T>(client: Client, body: Body<T>): Promise<T> {
    const { signal } = client;
    const dropped = this.#dropped;
    let permit: Permit;
    try {
      permit = await this.#order.acquire(signal);
    } catch (error) {
      throw signal.aborted ? clientGone() : error;
    }
    // either may have happened just as the slot was granted
    if (!signal.aborted && this.#dropped === dropped) {
      return await this.#start(permit, client, body);
    }
    permit[Symbol.dispose]();
    throw signal.aborted ? clientGone() : this.#dropped;
  }

  #start<T>(permit: Permit, client: Client, body: Body<T>): T | Promise<T> {
    const finish = () => {
      this.#current = undefined;
      permit[Symbol.dispose]();
    };
    const lease = this.#current = new InputLease(client);
    let result: T | Promise<T>;
    try {
      result = body(lease);
    } catch (error) {
      finish();
      throw error;
    }
    if (!(result instanceof Promise)) {
      finish();
      return result;
    }
    return result.finally(finish);
  }
}

// Keys and buttons that `hold` and `down` keep pressed on one display, in order of pressing, each
// with its time limit and those who hold it.

interface Held<T> {
  readonly what: T;
  readonly timer: ReturnType<typeof setTimeout>;
  /** When it was last asked for, by the clock of the system. */
  readonly since: number;
  readonly release: () => void;
  /** Scopes, where `undefined` holds until somebody releases it, and calls that have not succeeded yet. */
  readonly holders: Set<object | undefined>;
}

/** The call of one holder, until it has succeeded or failed. */
export interface Hold {
  /** From now on its scope holds. */
  keep(): void;
  /** Takes it back, for this call alone. */
  undo(): void;
}

/** Sends what holds something, and says what: a call that fails takes it back. */
export async function holding<T>(send: (note: (hold: Hold) => void) => Promise<T>): Promise<T> {
  let hold: Hold | undefined;
  try {
    const result = await send((made) => void (hold = made));
    hold?.keep();
    return result;
  } catch (error) {
    hold?.undo(); // whether the system has pressed it is unknown
    throw error;
  }
}

class PendingCall {
  constructor(readonly scope: object | undefined) {}
}

interface HoldOptions {
  /** Called unless it is held already. */
  readonly press: () => void;
  /** Called when it has been held for too long, or when its last holder lets go. */
  readonly release: () => void;
  /** Whose end releases it; without a holder, no end does. */
  readonly scope?: object | undefined;
}

/** How often it is looked whether the process was suspended, while something is held. */
const LOOK_INTERVAL_MS = 250;

export class HeldInput {
  readonly #keys = new Map<number, Held<Key>>();
  readonly #buttons = new Map<Button, Held<Button>>();
  #looking: ReturnType<typeof setInterval> | undefined;
  /** When it was last looked. */
  #lookedAt = 0;

  /** @param limits how long something is held, and from which pause on the process was suspended */
  constructor(private readonly limits: Pick<Limits, "maxHoldMs" | "suspendedMs">) {}

  /** Held keys, in order of pressing. */
  get keys(): readonly Key[] {
    return [...this.#keys.values()].map((held) => held.what);
  }

  /** Held buttons, in order of pressing. */
  get buttons(): readonly Button[] {
    return [...this.#buttons.keys()];
  }

  hasKey(key: Key): boolean {
    return this.#keys.has(key.keysym);
  }

  hasButton(button: Button): boolean {
    return this.#buttons.has(button);
  }

  /** Presses a key, or adds a further holder of it; the time limit begins anew. */
  holdKey(key: Key, options: HoldOptions): Hold {
    return this.#hold(this.#keys, key.keysym, key, options);
  }

  /** Like {@link holdKey}. */
  holdButton(button: Button, options: HoldOptions): Hold {
    return this.#hold(this.#buttons, button, button, options);
  }

  removeKey(key: Key): void {
    clearTimeout(this.#keys.get(key.keysym)?.timer);
    this.#keys.delete(key.keysym);
  }

  removeButton(button: Button): void {
    clearTimeout(this.#buttons.get(button)?.timer);
    this.#buttons.delete(button);
  }

  /** Releases what this holder alone still holds, buttons first, the last key first. */
  releaseScope(scope: object): void {
    const all = [...this.#keys.values(), ...this.#buttons.values()];
    for (const { holders, release } of all.reverse()) {
      const own = [...holders].filter((each) =>
        each === scope || each instanceof PendingCall && each.scope === scope
      );
      for (const each of own) holders.delete(each);
      if (own.length > 0 && holders.size === 0) release();
    }
  }

  /**
   * Releases what was held when the process, or the whole computer, was suspended: nobody knows any
   * more that it is. The system's clock goes on meanwhile, also where that of the process stands. What
   * is held since, before this has looked, stays down: either is far from the middle of the pause.
   */
  #look(): void {
    const now = Date.now();
    const before = this.#lookedAt;
    this.#lookedAt = now;
    const all = [...this.#keys.values(), ...this.#buttons.values()];
    if (now - before > this.limits.suspendedMs) {
      const middle = before + (now - before) / 2;
      for (const { since, release } of all.reverse()) if (since < middle) release();
    }
    if (this.#keys.size + this.#buttons.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #startLooking(): void {
    if (this.#looking !== undefined) return;
    this.#lookedAt = Date.now();
    this.#looking = setInterval(() => this.#look(), LOOK_INTERVAL_MS);
    Deno.unrefTimer(this.#looking);
  }

  /** Forgets all keys and buttons without releasing them. */
  clear(): void {
    for (const held of [...this.#keys.values(), ...this.#buttons.values()]) {
      clearTimeout(held.timer);
    }
    this.#keys.clear();
    this.#buttons.clear();
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #hold<I, T>(all: Map<I, Held<T>>, id: I, what: T, { press, release, scope }: HoldOptions): Hold {
    const before = all.get(id);
    if (before === undefined) press();
    clearTimeout(before?.timer);
    const end = () => {
      clearTimeout(all.get(id)?.timer);
      all.delete(id);
      tryTo(release); // a display that is gone holds nothing down; what else is held is released still
    };
    const holders = before?.holders ?? new Set();
    const call = new PendingCall(scope);
    holders.add(call);
    all.delete(id); // the last one pressed comes last
    this.#startLooking();
    const timer = setTimeout(end, this.limits.maxHoldMs);
    all.set(id, { what, timer, since: Date.now(), release: end, holders });
    return {
      keep() {
        if (holders.delete(call)) holders.add(scope);
      },
      undo() {
        const isLast = holders.delete(call) && holders.size === 0;
        if (isLast && all.get(id)?.holders === holders) end();
      },
    };
  }
}
