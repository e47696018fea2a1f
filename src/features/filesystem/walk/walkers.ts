/** The workers that walk: a few at once, the others wait their turn; idle ones are kept for a minute. */

import { Semaphore } from "../../../core/semaphore.ts";
import { WorkerPool } from "../../../core/worker_pool.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Limits } from "../../../config/limits.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import { Streamed } from "../../streamed.ts";
import type { Order, WalkTask } from "./protocol.ts";
import { type Lanes, SlicedPlace } from "./sliced_place.ts";
import { Walk } from "./walk.ts";

/** How long an idle worker is kept, in milliseconds. */
const IDLE_MS = 60_000;
/** How long a worker that was told to stop may go on before it is ended, in milliseconds. */
const STOP_MS = 1_000;
/** Walks that may wait in each lane. */
const MAX_WAITING = 1_000;
/** A search or tree that has taken this long moves to the lane of long ones, or pauses for others, in milliseconds. */
const LONG_AFTER_MS = 250;

export interface WalkerLimits extends Pick<Limits, "maxWalks" | "maxWalkMs"> {
  /** When a walk counts as a long one, in milliseconds. */
  readonly longAfterMs?: number;
}

/**
 * Three lanes of `maxWalks` each, so that short walks do not wait for long ones: lists, walks that have just begun, long
 * ones. A long walk that gets no place in its lane pauses when others wait, and long ones take turns.
 */
export class Walkers implements Disposable {
  /** The lanes bound how many work at once. */
  readonly #pool = new WorkerPool<Order, void>({
    module: new URL("./walk_worker.ts", import.meta.url),
    name: "walking",
    idleMs: IDLE_MS,
    stopMs: STOP_MS,
  });
  readonly #lists: Semaphore;
  readonly #lanes: Lanes;

  constructor(
    private readonly system: Platform["system"],
    private readonly limits: WalkerLimits,
  ) {
    const lane = () =>
      new Semaphore({ places: limits.maxWalks, maxWaiting: MAX_WAITING, full: tooMany });
    this.#lists = lane();
    const sliceMs = limits.longAfterMs ?? LONG_AFTER_MS;
    this.#lanes = { begun: lane(), long: lane(), paused: new Set(), sliceMs };
  }

  /**
   * The JSON that a walk gives, as soon as its first bytes are there.
   * @throws the system's error when the root cannot be read; the signal's reason when the client goes away.
   */
  async walk(task: WalkTask, signal: AbortSignal): Promise<Streamed> {
    const place = await (task.kind === "list" ? this.#lists : this.#lanes.begun).acquire(signal);
    if (signal.aborted) { // in the moment in which the place was given
      place[Symbol.dispose]();
      throw signal.reason;
    }
    const walk = new Walk({ system: this.system, signal, maxMs: this.limits.maxWalkMs });
    const held = task.kind === "list" ? place : new SlicedPlace(place, walk, this.#lanes);
    walk.ended.then(() => held[Symbol.dispose]());
    return new Streamed(await walk.start(task, this.#pool), walk.ended);
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

function tooMany(): ServiceError {
  return new ServiceError("unavailable", `${MAX_WAITING} walks wait already: try again later`);
}
