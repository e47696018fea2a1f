/**
 * The edit worker: searches, splices, hashes and compares large files without delaying requests.
 */

import { serveJobs } from "../../core/serve_jobs.ts";
import { openFileSystem } from "../../platform/files.ts";
import { Journal } from "../filesystem/safe_write/journal.ts";
import { executeEdit } from "./execute_edit.ts";
import type { EditJob } from "./edits.ts";

serveJobs(async ({ task, system, journalFolder }: EditJob, { checkStop }) => {
  const files = await openFileSystem(system);
  return await executeEdit(task, { journal: Journal.at(journalFolder), files, checkStop });
});
