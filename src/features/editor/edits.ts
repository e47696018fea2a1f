/**
 * The editor's state while the service runs: the undo history, and the memory budget of running
 * edits.
 */

import type { Limits } from "../../config/limits.ts";
import { Semaphore } from "../../core/locks.ts";
import type { Platform } from "../../platform/types/mod.ts";
import { EditHistory } from "./edit_history.ts";
import { EditRunner } from "./edit_runner.ts";

export class Edits implements Disposable {
  readonly history: EditHistory;
  /** Bytes that running edits may hold in total; each holds a whole file. */
  readonly budget: Semaphore;
  readonly runner: EditRunner;

  constructor({ maxUndoBytes, maxEditBytes }: Limits, system: Platform["system"]) {
    this.runner = new EditRunner(system);
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new Semaphore({ capacity: 2 * maxEditBytes });
  }

  [Symbol.dispose](): void {
    this.runner[Symbol.dispose]();
  }
}
