/** The thread that reads and changes the windows of Windows. */

import { serveJobs } from "../../../core/serve_jobs.ts";
import { openWindowJobs, type WindowJob, type WindowResult } from "./windows.ts";

let run: ((job: WindowJob) => WindowResult) | undefined;

serveJobs((job: WindowJob): WindowResult => {
  run ??= openWindowJobs();
  return run(job);
});
