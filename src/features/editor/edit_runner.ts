/** Runs edits: small ones in this thread, large ones in a few workers. */

import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { Writing } from "../filesystem/safe_write/exchange.ts";
import { executeEdit } from "./execute_edit.ts";
import type { Change, EditResult, EditTask } from "./edit_task.ts";

/** Up to this size, in bytes, an edit here takes less time than a message to a worker. */
const HERE_BYTES = 64 * 1024;
/**
 * Large edits that run at the same time: with two, one that takes seconds does not block the next.
 */
const WORKERS = 2;
/** Most large edits that may wait. */
const MAX_WAITING = 1_000;
/** How long an idle worker is kept, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;

export interface RunOptions {
  readonly writing: Writing;
  /** Of the file, in bytes. */
  readonly size: number;
  readonly signal: AbortSignal;
}

/** What a worker needs for one edit. */
export interface EditJob {
  readonly task: EditTask;
  readonly system: Platform["system"];
  readonly journalFolder: string;
}

export class EditRunner implements Disposable {
  readonly #pool = new WorkerPool<EditJob, EditResult>({
    module: new URL("./edit_worker.ts", import.meta.url),
    name: "editing",
    threads: WORKERS,
    maxWaiting: MAX_WAITING,
    full: tooMany,
    idleMs: IDLE_TIMEOUT_MS,
  });

  constructor(private readonly system: Platform["system"]) {}

  /**
   * @throws what the edit throws; the signal's reason if it aborts before the edit starts to write.
   */
  async run(task: EditTask, options: RunOptions): Promise<EditResult> {
    if (options.size <= HERE_BYTES && isSmall(task.change)) {
      try {
        return await executeOnMainThread(task, options);
      } catch (error) {
        // the file is, or would become, larger than expected
        const isLarge = error instanceof ServiceError && error.code === "too_large";
        if (!isLarge || task.maxBytes <= HERE_BYTES) throw error;
      }
    }
    return await this.#executeInWorker(task, options);
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }

  async #executeInWorker(
    task: EditTask,
    { signal, writing: { journal } }: RunOptions,
  ): Promise<EditResult> {
    const job = { task, system: this.system, journalFolder: journal.folder };
    return await this.#pool.run(job, { signal });
  }
}

function isSmall(change: Change): boolean {
  if (change.kind === "insert") return change.text.length <= HERE_BYTES;
  if (change.kind === "replace") {
    return change.oldText.length + change.newText.length <= HERE_BYTES;
  }
  if (change.kind === "patch") return change.diff.length <= HERE_BYTES;
  const { undo } = change.edit;
  if (undo === "remove") return true;
  return undo.at.byteLength + undo.removed.length + undo.inserted.length <= HERE_BYTES;
}

async function executeOnMainThread(
  task: EditTask,
  { writing, signal }: RunOptions,
): Promise<EditResult> {
  const maxBytes = Math.min(task.maxBytes, HERE_BYTES);
  return await executeEdit({ ...task, maxBytes }, {
    ...writing,
    checkStop: () => signal.throwIfAborted(),
  });
}

function tooMany(): ServiceError {
  return new ServiceError(
    "unavailable",
    `${MAX_WAITING} edits are already queued: try again later`,
  );
}
