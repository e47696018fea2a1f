/** The workers that walk: a few at once, the others wait their turn; idle ones are kept for a minute. */

import { startWorker } from "../../../core/start_worker.ts";
import { type Place, Semaphore } from "../../../core/semaphore.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Limits } from "../../../config/limits.ts";
import type { Platform } from "../../../platform/types/mod.ts";
import { Streamed } from "../../streamed.ts";
import type { WalkTask } from "./protocol.ts";
import { type Lanes, SlicedPlace } from "./sliced_place.ts";
import { Walk } from "./walk.ts";

/** How long an idle worker is kept, in milliseconds. */
const IDLE_MS = 60_000;
/** Walks that may wait in each lane. */
const MAX_WAITING = 1_000;
/** A search or tree that has taken this long moves to the lane of long ones, or pauses for others, in milliseconds. */
const LONG_AFTER_MS = 250;

interface Idle {
  readonly worker: Worker;
  readonly timer: ReturnType<typeof setTimeout>;
}

export interface WalkerLimits extends Pick<Limits, "maxWalks" | "maxWalkMs"> {
  /** When a walk counts as a long one, in milliseconds. */
  readonly longAfterMs?: number;
}

/**
 * Three lanes of `maxWalks` each, so that short walks do not wait for long ones: lists, walks that have just begun, long
 * ones. A long walk that gets no place in its lane pauses when others wait, and long ones take turns.
 */
export class Walkers implements Disposable {
  #idle: Idle[] = [];
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
    let walk: Walk;
    try {
      signal.throwIfAborted(); // it may have aborted in the moment in which the place was given
      walk = this.#begin(signal);
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
    this.#follow(walk, task.kind === "list" ? place : new SlicedPlace(place, walk, this.#lanes));
    return new Streamed(await walk.start(task), walk.ended.then(() => {}));
  }

  [Symbol.dispose](): void {
    for (const { worker, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      worker.terminate();
    }
  }

  #begin(signal: AbortSignal): Walk {
    const worker = this.#take();
    return new Walk(worker, { system: this.system, signal, maxMs: this.limits.maxWalkMs });
  }

  #follow(walk: Walk, place: Place): void {
    walk.ended.then((usable) => {
      using _place = place;
      if (usable) this.#keep(walk.worker);
      else walk.worker.terminate();
    });
  }

  #take(): Worker {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      return startWorker(new URL("./walk_worker.ts", import.meta.url));
    }
    clearTimeout(idle.timer);
    return idle.worker;
  }

  #keep(worker: Worker): void {
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((each) => each.worker !== worker);
      worker.terminate();
    }, IDLE_MS);
    Deno.unrefTimer(timer);
    this.#idle.push({ worker, timer });
  }
}

function tooMany(): ServiceError {
  return new ServiceError("unavailable", `${MAX_WAITING} walks wait already: try again later`);
}
