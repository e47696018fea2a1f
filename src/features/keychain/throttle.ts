/** Slows down guessing: after some wrong answers for a service name each further try waits, one after the other. */

import { createHmac, randomBytes } from "node:crypto";
import { ServiceError } from "../../core/errors.ts";
import type { Limits } from "../../core/limits.ts";
import type { Client } from "../input/input_turn.ts";

/** What a try has shown; names of fields that were wrong though stored, and of those that were right. */
export interface Outcome {
  readonly ok: boolean;
  readonly wrong: readonly string[];
  readonly right: readonly string[];
}

type ThrottleLimits = Pick<
  Limits,
  "maxWrongTries" | "wrongTryDelayMs" | "maxWrongTryDelayMs" | "maxWaitingInput"
>;

interface Lane {
  /** Wrong answers since the last right one. */
  wrong: number;
  /** Stored fields that were answered wrong since then. */
  readonly fields: Set<string>;
  /** `performance.now()` of the last wrong answer. */
  lastWrong: number;
  waiting: number;
  /** Settles when the last try has ended; never rejects. */
  tail: Promise<unknown>;
}

/** Wrong answers are forgotten after this without another one. */
const FORGET_MS = 10 * 60_000;
/** Names share this many lanes, so that a flood of names takes no memory and pushes none out. */
const LANE_BITS = 0xffff;

export class Throttle {
  readonly #lanes = new Map<number, Lane>();
  /** Nobody outside can tell which names share a lane. */
  readonly #key = randomBytes(32);

  constructor(
    private readonly limits: ThrottleLimits,
    private readonly wait: typeof pause = pause,
  ) {}

  /**
   * Runs a try when all earlier ones for this name have ended and its delay is over; at once when
   * there are none, so that it keeps its place among requests of other kinds.
   * @throws ServiceError `unavailable` when too many wait, `conflict` when the client goes away.
   */
  async attempt(service: string, client: Client, run: () => Promise<Outcome>) {
    const lane = this.#laneOf(service);
    if (lane.waiting >= this.limits.maxWaitingInput) {
      throw new ServiceError(
        "unavailable",
        `Cannot queue the try: ${lane.waiting} already wait for this service`,
      );
    }
    const free = lane.waiting === 0;
    lane.waiting++;
    const take = () => this.#take(lane, client, run);
    const result = free ? take() : lane.tail.then(take);
    lane.tail = result.catch(() => {}).finally(() => lane.waiting--);
    return await result;
  }

  async #take(lane: Lane, client: Client, run: () => Promise<Outcome>): Promise<boolean> {
    const delayMs = this.#delayOf(lane);
    if (delayMs > 0) await this.wait(delayMs, client);
    const outcome = await run();
    this.#note(lane, outcome);
    return outcome.ok;
  }

  /** How many lanes are in use: at most 65,536. */
  get size(): number {
    return this.#lanes.size;
  }

  #delayOf(lane: Lane): number {
    if (performance.now() - lane.lastWrong > FORGET_MS) clear(lane);
    const { maxWrongTries, wrongTryDelayMs, maxWrongTryDelayMs } = this.limits;
    const over = lane.wrong - maxWrongTries;
    return over < 0 ? 0 : Math.min(maxWrongTryDelayMs, wrongTryDelayMs * 2 ** Math.min(over, 40));
  }

  /** A right answer clears what it covers: a known user name is no proof after wrong passwords. */
  #note(lane: Lane, { ok, wrong, right }: Outcome): void {
    if (!ok) {
      lane.wrong++;
      lane.lastWrong = performance.now();
      for (const field of wrong) lane.fields.add(field);
      return;
    }
    for (const field of right) lane.fields.delete(field);
    if (right.length > 0 && lane.fields.size === 0) clear(lane);
  }

  #laneOf(service: string): Lane {
    const number = createHmac("sha256", this.#key).update(service).digest().readUInt32BE() &
      LANE_BITS;
    let lane = this.#lanes.get(number);
    if (lane === undefined) {
      lane = { wrong: 0, fields: new Set(), lastWrong: 0, waiting: 0, tail: Promise.resolve() };
      this.#lanes.set(number, lane);
    }
    return lane;
  }
}

function clear(lane: Lane): void {
  lane.wrong = 0;
  lane.fields.clear();
}

async function pause(ms: number, client: Client): Promise<void> {
  const { signal } = client;
  const gone = () => new ServiceError("conflict", "Stopped: the client went away");
  if (signal.aborted) throw gone();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(gone());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
