/** The local tasks of OSWorld. */

import { BROWSER_TASKS } from "./browser_tasks.ts";
import { LOCAL_OFFICE_TASKS } from "./local_office_tasks.ts";
import type { LocalTask } from "./local_task.ts";
import { PICTURE_TASKS } from "./picture_tasks.ts";
import { PLAYER_TASKS } from "./player_tasks.ts";
import { SYSTEM_TASKS } from "./system_tasks.ts";

export const LOCAL_TASKS: readonly LocalTask[] = [
  ...SYSTEM_TASKS,
  ...BROWSER_TASKS,
  ...LOCAL_OFFICE_TASKS,
  ...PLAYER_TASKS,
  ...PICTURE_TASKS,
];
