/** Where edits are carried out: small ones here, large ones in workers, of which a few work at once. */

import { Semaphore } from "../../core/semaphore.ts";
import { startWorker } from "../../core/start_worker.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { Writing } from "../filesystem/safe_write/replacing.ts";
import { carryOut } from "./carry_out.ts";
import { errorOf, failureOf, type FromWorker, type ToWorker } from "./edit_messages.ts";
import type { Change, EditOutcome, EditTask } from "./edit_task.ts";

/** Files and texts up to this size take less time here than a message to a worker, in bytes. */
const HERE_BYTES = 64 * 1024;
/** Large edits at work: one that takes seconds lets another one pass. */
const WORKERS = 2;
/** Large edits that may wait. */
const MAX_WAITING = 1_000;
/** How long an idle worker is kept, in milliseconds. */
const IDLE_MS = 60_000;

export interface RunOptions {
  readonly writing: Writing;
  /** Of the file, in bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
}

interface Idle {
  readonly worker: Worker;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class EditRunner implements Disposable {
  readonly #places = new Semaphore({ places: WORKERS, maxWaiting: MAX_WAITING, full: tooMany });
  readonly #idle: Idle[] = [];

  constructor(private readonly system: Platform["system"]) {}

  /** @throws what the edit throws; the signal's reason when it aborts before the edit writes. */
  async run(task: EditTask, options: RunOptions): Promise<EditOutcome> {
    if (options.size <= HERE_BYTES && isSmall(task.change)) {
      try {
        return await carryOutHere(task, options);
      } catch (error) {
        // it is, or would become, larger than it seemed
        const isLarge = error instanceof ServiceError && error.code === "too_large";
        if (!isLarge || task.maxBytes <= HERE_BYTES) throw error;
      }
    }
    const { signal } = options;
    return await this.#places.run(() => this.#carryOutThere(task, options), signal);
  }

  [Symbol.dispose](): void {
    for (const { worker, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      worker.terminate();
    }
  }

  async #carryOutThere(task: EditTask, options: RunOptions): Promise<EditOutcome> {
    const { signal } = options;
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const leave = () => Atomics.store(stop, 0, 1);
    const worker = this.#take();
    signal.addEventListener("abort", leave);
    try {
      const outcome = await this.#converse(worker, { task, stop, options });
      this.#keep(worker);
      return outcome;
    } catch (error) {
      if (worker.onmessage !== null) this.#keep(worker);
      if (error instanceof Error && error.name === "Stopped") throw signal.reason;
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #converse(
    worker: Worker,
    { task, stop, options: { writing: { journal } } }: {
      readonly task: EditTask;
      readonly stop: Int32Array;
      readonly options: RunOptions;
    },
  ): Promise<EditOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<EditOutcome>();
    const post = (message: ToWorker) => worker.postMessage(message);
    const answer = (key: number, work: Promise<number>) =>
      work.then((id) => post({ key, id }), (error) => post({ key, failed: failureOf(error) }));
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("begin" in data) answer(data.key, journal.begin(data.begin));
      else if ("replace" in data) {
        const { id, key, replace } = data;
        answer(key, journal.replace(id, replace).then(() => id));
      } else if ("end" in data) journal.end(data.end);
      else if ("failed" in data) reject(errorOf(data.failed));
      else resolve(data.done);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.onmessage = null; // what it has left is tidied up by the next start
      worker.terminate();
      reject(new Error(`A worker that edits failed: ${event.message}`));
    };
    const { folder, run } = journal;
    post({ task, system: this.system, journal: { folder, run }, stop });
    return promise;
  }

  #take(): Worker {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      return startWorker(new URL("./edit_worker.ts", import.meta.url));
    }
    clearTimeout(idle.timer);
    return idle.worker;
  }

  #keep(worker: Worker): void {
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.findIndex((each) => each.worker === worker), 1);
      worker.terminate();
    }, IDLE_MS);
    Deno.unrefTimer(timer);
    this.#idle.push({ worker, timer });
  }
}

function isSmall(change: Change): boolean {
  if (change.kind === "insert") return change.text.length <= HERE_BYTES;
  if (change.kind === "replace") {
    return change.oldText.length + change.newText.length <= HERE_BYTES;
  }
  const { undo } = change.edit;
  if (undo === "remove") return true;
  return undo.at.byteLength + undo.removed.length + undo.inserted.length <= HERE_BYTES;
}

async function carryOutHere(
  task: EditTask,
  { writing, signal }: RunOptions,
): Promise<EditOutcome> {
  const maxBytes = Math.min(task.maxBytes, HERE_BYTES);
  return await carryOut({ ...task, maxBytes }, {
    ...writing,
    checkStop: () => signal.throwIfAborted(),
  });
}

function tooMany(): ServiceError {
  return new ServiceError("unavailable", `${MAX_WAITING} edits wait already: try again later`);
}
