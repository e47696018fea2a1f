/** What the editor remembers while the service runs: the edits that can be undone, and the memory that edits at work may hold. */

import type { Limits } from "../../config/limits.ts";
import { Semaphore } from "../../core/semaphore.ts";
import type { Platform } from "../../platform/types/mod.ts";
import { EditHistory } from "./edit_history.ts";
import { EditRunner } from "./edit_runner.ts";

export class Edits implements Disposable {
  readonly history: EditHistory;
  /** The bytes that edits at work may hold: each holds a whole file. */
  readonly budget: Semaphore;
  readonly runner: EditRunner;

  constructor({ maxUndoBytes, maxEditBytes }: Limits, system: Platform["system"]) {
    this.runner = new EditRunner(system);
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new Semaphore({ places: 2 * maxEditBytes });
  }

  [Symbol.dispose](): void {
    this.runner[Symbol.dispose]();
  }
}
