/** What the editor remembers while the service runs: the edits that can be undone, and the memory that edits at work may hold. */

import type { Limits } from "../../limits.ts";
import { EditBudget } from "./edit_budget.ts";
import { EditHistory } from "./edit_history.ts";

export class Edits {
  readonly history: EditHistory;
  readonly budget: EditBudget;

  constructor({ maxUndoBytes, maxEditBytes }: Limits) {
    this.history = new EditHistory(maxUndoBytes);
    this.budget = new EditBudget(2 * maxEditBytes);
  }
}
