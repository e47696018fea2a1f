/** What every task needs that asks programs. */

import type { AtspiClient } from "./client.ts";
import type { AtspiAnswers, Origin } from "./jobs.ts";
import type { Toolkits } from "./toolkit.ts";

export interface Asking {
  readonly client: AtspiClient;
  readonly toolkits: Toolkits;
  readonly origin: Origin;
  /** @throws Stopped when nobody waits for the result any more */
  checkStop(): void;
  /** The windows of the display; `null` where they are not known. */
  listWindows(): Promise<AtspiAnswers["windows"]>;
  /** The menus and panels that show and are windows by themselves; `null` where they are not known. */
  listPopups(): Promise<AtspiAnswers["popups"]>;
}
