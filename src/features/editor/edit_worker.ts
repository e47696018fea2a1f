/**
 * The edit worker: searches, splices, hashes and compares large files without delaying requests.
 */

import { join } from "node:path";
import { type JobCaller, serveJobs } from "../../core/serve_jobs.ts";
import { openFileSystem } from "../../platform/files.ts";
import type { Journaling } from "../filesystem/safe_write/journal.ts";
import { executeEdit } from "./execute_edit.ts";
import type { EditJob, JournalEnd, JournalQuestion } from "./edit_runner.ts";

serveJobs(async ({ task, system, journal }: EditJob, caller) => {
  const { checkStop } = caller;
  const files = await openFileSystem(system);
  return await executeEdit(task, { journal: remoteJournal(journal, caller), files, checkStop });
});

/** A journal that is written by the thread which has it open. */
function remoteJournal({ folder, run }: EditJob["journal"], caller: JobCaller): Journaling {
  const ask = async (question: JournalQuestion) => await caller.request(question) as number;
  return {
    folder,
    run,
    begin: (record) => ask({ begin: record }),
    replace: async (id, record) => void await ask({ replace: record, id }),
    end: (id) => caller.notify({ end: id } satisfies JournalEnd),
    sideFile: () => {
      const [random] = crypto.getRandomValues(new BigUint64Array(1));
      return join(folder, `${run}.${random}.bytes`);
    },
  };
}
