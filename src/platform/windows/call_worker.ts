/** A thread for calls of one kind, in which programs may keep it waiting. */

import { serveJobs } from "../../core/serve_jobs.ts";
import { openElementJobs } from "./accessibility/element_job.ts";
import type { KindOfCall } from "./call_thread.ts";
import { openClipboardJobs } from "./clipboard/clipboard_job.ts";
import { listBuffers } from "./clipboard/native_clipboard.ts";
import { openWindowJobs } from "./windows/windows.ts";

const OPEN = {
  clipboard: openClipboardJobs,
  element: openElementJobs,
  window: openWindowJobs,
} satisfies Record<KindOfCall, unknown>;

type Run = ReturnType<typeof OPEN[KindOfCall]>;
type Result = Awaited<ReturnType<Run>>;

let run: Run | undefined;

serveJobs(
  ({ kind, job }: { readonly kind: KindOfCall; readonly job: never }, { isStopped }) => {
    run ??= OPEN[kind]();
    return run(job, isStopped) as Result | Promise<Result>;
  },
  (result) => "read" in result && result.read ? listBuffers(result.read.content) : [],
);
