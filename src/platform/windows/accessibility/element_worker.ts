/** The thread that reads and uses elements of programs on Windows. */

import { serveJobs } from "../../../core/serve_jobs.ts";
import {
  type ElementJob,
  type ElementResult,
  openElementSource,
  runElementJob,
} from "./element_job.ts";
import type { ElementSource } from "./element_source.ts";

let source: ElementSource | undefined;

serveJobs((job: ElementJob, { isStopped }): ElementResult => {
  source ??= openElementSource();
  return runElementJob(source, job, isStopped);
});
