/** The thread that reads and uses elements of programs on Windows. */

import { serveJobs } from "../../../core/serve_jobs.ts";
import {
  type ElementJob,
  type ElementResult,
  openElementSource,
  runElementJob,
} from "./element_job.ts";
import type { UiaSource } from "./uia/uia_source.ts";

let source: UiaSource | undefined;

serveJobs((job: ElementJob, { isStopped }): ElementResult => {
  source ??= openElementSource();
  return runElementJob(source, job, isStopped);
});
