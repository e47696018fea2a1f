/**
 * Manages the walk workers: a few run at the same time, and further walks queue; idle workers are
 * kept for a minute.
 */

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
/** How long a worker may continue after a stop request before it is terminated, in milliseconds. */
const STOP_MS = 1_000;
/** Most walks that may wait in each lane. */
const MAX_WAITING = 1_000;
/**
 * A search or tree walk that has taken this long moves to the lane for long walks, or pauses for
 * others, in milliseconds.
 */
const LONG_AFTER_MS = 250;

export interface WalkerLimits extends Pick<Limits, "maxWalks" | "maxWalkMs"> {
  /** After this time a walk counts as long, in milliseconds. */
  readonly longAfterMs?: number;
}

/**
 * Three lanes of `maxWalks` each, so that short walks do not wait for long ones: lists, walks that
 * have just started, and long walks. A long walk that gets no slot in its lane pauses while others
 * wait; long walks take turns.
 */
export class Walkers implements Disposable {
  /** The lanes limit how many walks run at the same time. */
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
   * The JSON of a walk; resolves with its first bytes.
   * @throws the system's error when the root cannot be read; the signal's reason when the client
   * disconnects.
   */
  async walk(task: WalkTask, signal: AbortSignal): Promise<Streamed> {
    const place = await (task.kind === "list" ? this.#lists : this.#lanes.begun).acquire(signal);
    if (signal.aborted) { // aborted just as the slot was granted
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
