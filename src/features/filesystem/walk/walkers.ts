/** The workers that walk: a few at once, the others wait their turn; idle ones are kept for a minute. */

import { ServiceError } from "../../../errors.ts";
import type { Limits } from "../../../limits.ts";
import type { Platform } from "../../../platform/types.ts";
import { Streamed } from "../../operation.ts";
import type { WalkTask } from "./protocol.ts";
import { Walk } from "./walk.ts";

/** How long an idle worker is kept, in milliseconds. */
const IDLE_MS = 60_000;
/** Walks that may wait. */
const MAX_WAITING = 1_000;

interface Idle {
  readonly worker: Worker;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Walkers implements Disposable {
  #running = 0;
  #idle: Idle[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly system: Platform["system"],
    private readonly limits: Pick<Limits, "maxWalks" | "maxWalkMs">,
  ) {}

  /**
   * The JSON that a walk gives, as soon as its first bytes are there.
   * @throws the system's error when the root cannot be read; the signal's reason when the client goes away.
   */
  async walk(task: WalkTask, signal: AbortSignal): Promise<Streamed> {
    await this.#turn(signal);
    const worker = this.#take();
    const walk = new Walk(worker, { system: this.system, signal, maxMs: this.limits.maxWalkMs });
    walk.ended.then((usable) => this.#giveBack(worker, usable));
    return new Streamed(await walk.start(task), walk.ended.then(() => {}));
  }

  [Symbol.dispose](): void {
    for (const { worker, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      worker.terminate();
    }
  }

  /** Resolves when a walk may begin; it counts as running from then on. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.limits.maxWalks) {
      this.#running++;
      return;
    }
    if (this.#waiting.size >= MAX_WAITING) {
      throw new ServiceError("unavailable", `${MAX_WAITING} walks wait already: try again later`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", leave);
    try {
      await promise; // whoever ends hands its place over
    } finally {
      signal.removeEventListener("abort", leave);
      this.#waiting.delete(resolve);
    }
  }

  #take(): Worker {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      return new Worker(new URL("./walk_worker.ts", import.meta.url), { type: "module" });
    }
    clearTimeout(idle.timer);
    return idle.worker;
  }

  #giveBack(worker: Worker, usable: boolean): void {
    if (usable) this.#keep(worker);
    else worker.terminate();
    const [next] = this.#waiting;
    if (next === undefined) this.#running--;
    else {
      this.#waiting.delete(next);
      next();
    }
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
