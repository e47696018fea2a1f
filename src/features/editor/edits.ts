/**
 * The editor's state while the service runs: the undo history, the memory budget of running edits,
 * and what runs them: small ones in this thread, large ones in a few workers.
 */

import { hasCode, ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { Writing } from "../filesystem/safe_write/exchange.ts";
import type { Session } from "../session.ts";
import type { Change, Edit, EditResult, EditTask } from "./edit_task.ts";
import { executeEdit } from "./execute_edit.ts";

/** Up to this size, in bytes, an edit here takes less time than a message to a worker. */
const HERE_BYTES = 64 * 1024;
/**
 * Large edits that run at the same time: with two, one that takes seconds does not block the next.
 */
const WORKERS = 2;
/** Most large edits that may wait. */
const MAX_WAITING = 1_000;
const FULL = `${MAX_WAITING} edits are already queued: try again later`;
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
    full: () => new ServiceError("unavailable", FULL),
    idleMs: IDLE_TIMEOUT_MS,
  });

  constructor(private readonly session: Pick<Session, "limits" | "platform">) {
    const { maxUndoBytes, maxEditBytes } = session.limits;
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new Semaphore({ capacity: 2 * maxEditBytes });
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
    const { system } = this.session.platform;
    const job = { task, system, journalFolder: writing.journal.folder };
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
  return undoBytes(change.edit) <= HERE_BYTES;
}

// The undo history of all files, bounded in memory: the oldest edits are forgotten first.

interface Kept extends Edit {
  readonly path: string;
  readonly cost: number;
}

/** Approximate memory of an edit besides its bytes, in bytes. */
const OVERHEAD = 512;

class EditHistory {
  /** Oldest first. */
  #edits: Kept[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Records an edit. An edit larger than the bound makes the history forget everything about its
   * file.
   */
  add(path: string, edit: Edit): void {
    const kept = { ...edit, path, cost: OVERHEAD + 2 * path.length + undoBytes(edit) };
    if (kept.cost > this.maxBytes) return this.forget(path);
    this.#edits.push(kept);
    this.#bytes += kept.cost;
    while (this.#bytes > this.maxBytes) this.#bytes -= this.#edits.shift()!.cost;
  }

  /** The last edit of a file. */
  last(path: string): Edit | undefined {
    return this.#edits.findLast((edit) => edit.path === path);
  }

  /** Call this when the last edit has been undone. */
  removeLast(path: string): void {
    const last = this.last(path);
    this.#keep((edit) => edit !== last);
  }

  forget(path: string): void {
    this.#keep((edit) => edit.path !== path);
  }

  #keep(isKept: (edit: Kept) => boolean): void {
    this.#edits = this.#edits.filter(isKept);
    this.#bytes = this.#edits.reduce((sum, { cost }) => sum + cost, 0);
  }
}

/** What it takes to undo an edit, in bytes. */
function undoBytes({ undo }: Edit): number {
  return undo === "remove" ? 0 : undo.at.byteLength + undo.removed.length + undo.inserted.length;
}
