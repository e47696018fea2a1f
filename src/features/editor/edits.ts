/**
 * The editor's state while the service runs: the undo history, the memory budget of running edits,
 * and what runs them: small ones in this thread, large ones in a few workers.
 */

import type { Limits } from "../../config/limits.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { Writing } from "../filesystem/safe_write/exchange.ts";
import type { Session } from "../session.ts";
import { EditHistory } from "./edit_history.ts";
import type { Change, EditResult, EditTask } from "./edit_task.ts";
import { executeEdit } from "./execute_edit.ts";

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

interface RunOptions {
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

export class Edits implements Disposable {
  static readonly ofService = true;
  readonly history: EditHistory;
  /** Bytes that running edits may hold in total; each holds a whole file. */
  readonly budget: Semaphore;
  readonly #pool = new WorkerPool<EditJob, EditResult>({
    module: new URL("./edit_worker.ts", import.meta.url),
    name: "editing",
    threads: WORKERS,
    maxWaiting: MAX_WAITING,
    full: tooMany,
    idleMs: IDLE_TIMEOUT_MS,
  });

  constructor(
    { maxUndoBytes, maxEditBytes }: Limits,
    private readonly system: Platform["system"],
  ) {
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new Semaphore({ capacity: 2 * maxEditBytes });
  }

  static openIn({ limits, platform }: Session): Edits {
    return new Edits(limits, platform.system);
  }

  /**
   * @throws what the edit throws; the signal's reason if it aborts before the edit starts to write.
   */
  async run(task: EditTask, options: RunOptions): Promise<EditResult> {
    const { writing, size, signal } = options;
    if (size <= HERE_BYTES && isSmall(task.change)) {
      const maxBytes = Math.min(task.maxBytes, HERE_BYTES);
      const checkStop = () => signal.throwIfAborted();
      try {
        return await executeEdit({ ...task, maxBytes }, { ...writing, checkStop });
      } catch (error) {
        // the file is, or would become, larger than expected
        if (!hasCode(error, "too_large") || task.maxBytes <= HERE_BYTES) throw error;
      }
    }
    const job = { task, system: this.system, journalFolder: writing.journal.folder };
    return await this.#pool.run(job, { signal });
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
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

function tooMany(): ServiceError {
  return new ServiceError(
    "unavailable",
    `${MAX_WAITING} edits are already queued: try again later`,
  );
}
