/**
 * The thread that speaks with the browser: what pages answer can have many megabytes, and is parsed
 * and shortened here, so that the thread that answers requests only gets what was asked for.
 */

import { serveJobs } from "../../core/serve_jobs.ts";
import { type BrowserRequest, BrowserSupervisor } from "./browser_supervisor.ts";

const supervisor = new BrowserSupervisor();

serveJobs(
  (request: BrowserRequest, caller) => supervisor.execute(request, caller),
  (result) =>
    result !== null && typeof result === "object" && "bytes" in result
      ? [(result.bytes as Uint8Array<ArrayBuffer>).buffer]
      : [],
);
