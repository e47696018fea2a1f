/**
 * Slows down guessing: after several wrong answers for a service name, every further attempt waits,
 * one at a time.
 */

import { createHmac, randomBytes } from "node:crypto";
import { pause } from "../../core/deadline.ts";
import { ServiceError, untilDisconnected } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import { Semaphore } from "../../core/locks.ts";
import type { Client } from "../input/input_lock.ts";
import type { Session } from "../session.ts";

/**
 * The result of an attempt: the stored fields that were answered wrongly, and those answered
 * correctly.
 */
export interface AttemptResult {
  readonly ok: boolean;
  readonly wrong: readonly string[];
  readonly right: readonly string[];
}

type ThrottleLimits = Pick<
  Limits,
  "maxWrongTries" | "wrongTryDelayMs" | "maxWrongTryDelayMs" | "maxWaitingInput"
>;

interface Lane {
  /** Wrong answers since the last correct one. */
  wrong: number;
  /** Stored fields that were answered wrongly since then. */
  readonly fields: Set<string>;
  /** `performance.now()` of the last wrong answer. */
  lastWrong: number;
  /** Admits one attempt at a time. */
  readonly order: Semaphore;
}

/** Wrong answers expire after this time without another one, in milliseconds. */
const WRONG_TRY_EXPIRY_MS = 10 * 60_000;
/**
 * All names share this many lanes, so that a flood of names neither uses memory nor evicts others.
 */
const LANE_BITS = 0xffff;

export class Throttle {
  static readonly ofService = true;
  readonly #lanes = new Map<number, Lane>();
  /** Random, so that no client can tell which names share a lane. */
  readonly #key = randomBytes(32);

  constructor(
    private readonly limits: ThrottleLimits,
    private readonly wait: typeof pause = pause,
  ) {}

  static openIn({ limits }: Session): Throttle {
    return new Throttle(limits);
  }

  /**
   * Runs an attempt when all earlier ones for this name have ended and its delay has passed;
   * immediately if there are none, so that it keeps its position among other requests.
   * @throws ServiceError `unavailable` when too many wait, `conflict` when the client disconnects.
   */
  async attempt(service: string, { signal }: Client, run: () => Promise<AttemptResult>) {
    const lane = this.#findLane(service);
    const take = () => this.#take(lane, signal, run);
    return await untilDisconnected({ signal }, () => lane.order.run(take, signal));
  }

  async #take(
    lane: Lane,
    signal: AbortSignal,
    run: () => Promise<AttemptResult>,
  ): Promise<boolean> {
    const delayMs = this.#delay(lane);
    if (delayMs > 0) await this.wait(delayMs, signal);
    const outcome = await run();
    this.#note(lane, outcome);
    return outcome.ok;
  }

  /** Number of lanes in use: at most 65,536. */
  get size(): number {
    return this.#lanes.size;
  }

  #delay(lane: Lane): number {
    if (performance.now() - lane.lastWrong > WRONG_TRY_EXPIRY_MS) clear(lane);
    const { maxWrongTries, wrongTryDelayMs, maxWrongTryDelayMs } = this.limits;
    const over = lane.wrong - maxWrongTries;
    return over < 0 ? 0 : Math.min(maxWrongTryDelayMs, wrongTryDelayMs * 2 ** Math.min(over, 40));
  }

  /**
   * A correct answer resets only what it covers: a known user name proves nothing after wrong
   * passwords.
   */
  #note(lane: Lane, { ok, wrong, right }: AttemptResult): void {
    if (!ok) {
      lane.wrong++;
      lane.lastWrong = performance.now();
      for (const field of wrong) lane.fields.add(field);
      return;
    }
    for (const field of right) lane.fields.delete(field);
    if (right.length > 0 && lane.fields.size === 0) clear(lane);
  }

  #findLane(service: string): Lane {
    const number = createHmac("sha256", this.#key).update(service).digest().readUInt32BE() &
      LANE_BITS;
    return this.#lanes.getOrInsertComputed(
      number,
      () => ({ wrong: 0, fields: new Set(), lastWrong: 0, order: this.#openOrder() }),
    );
  }

  #openOrder(): Semaphore {
    const { maxWaitingInput } = this.limits;
    const text = `Cannot queue the attempt: ${maxWaitingInput} are already queued for this service`;
    return new Semaphore({
      capacity: 1,
      maxWaiting: maxWaitingInput - 1, // the running attempt counts as well
      full: () => new ServiceError("unavailable", text),
    });
  }
}

function clear(lane: Lane): void {
  lane.wrong = 0;
  lane.fields.clear();
}
