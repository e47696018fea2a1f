/** What the editor remembers while the service runs: the edits that can be undone, and the memory that edits at work may hold. */

import type { Limits } from "../../core/limits.ts";
import type { Platform } from "../../platform/types/mod.ts";
import { EditBudget } from "./edit_budget.ts";
import { EditHistory } from "./edit_history.ts";
import { EditRunner } from "./edit_runner.ts";

export class Edits implements Disposable {
  readonly history: EditHistory;
  readonly budget: EditBudget;
  readonly runner: EditRunner;

  constructor({ maxUndoBytes, maxEditBytes }: Limits, system: Platform["system"]) {
    this.runner = new EditRunner(system);
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new EditBudget(2 * maxEditBytes);
  }

  [Symbol.dispose](): void {
    this.runner[Symbol.dispose]();
  }
}
