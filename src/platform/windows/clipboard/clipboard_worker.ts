/** The thread that uses the clipboard of Windows. */

import { openClipboardCalls } from "../../../../ffi/windows/clipboard.ts";
import { serveJobs } from "../../../core/serve_jobs.ts";
import { type ClipboardJob, type ClipboardResult, runClipboardJob } from "./clipboard_job.ts";
import { listBuffers, NativeClipboard } from "./native_clipboard.ts";

let clipboard: NativeClipboard | undefined;

serveJobs((job: ClipboardJob): Promise<ClipboardResult> => {
  clipboard ??= new NativeClipboard(openClipboardCalls());
  return runClipboardJob(clipboard, job);
}, ({ read }) => read === undefined ? [] : listBuffers(read.content));
