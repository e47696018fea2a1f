/** The 60 office tasks: 20 spreadsheets, 20 texts and 20 presentations. */

import type { OfficeTask } from "./office_task.ts";
import { SHEET_TASKS } from "./sheet_tasks.ts";
import { SLIDE_TASKS } from "./slide_tasks.ts";
import { TEXT_TASKS } from "./text_tasks.ts";

export const OFFICE_TASKS: readonly OfficeTask[] = [...SHEET_TASKS, ...TEXT_TASKS, ...SLIDE_TASKS];
