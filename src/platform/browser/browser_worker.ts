/**
 * The thread that speaks with the browser: what pages answer can have many megabytes, and is parsed
 * and shortened here, so that the thread that answers requests only gets what was asked for.
 */

import { serveJobs } from "../../core/serve_jobs.ts";
import { BrowserKeeper, type BrowserRequest } from "./browser_keeper.ts";

const keeper = new BrowserKeeper();

serveJobs(
  (request: BrowserRequest, caller) => keeper.carryOut(request, () => caller.checkStop()),
  (result) =>
    result !== null && typeof result === "object" && "bytes" in result
      ? [(result.bytes as Uint8Array<ArrayBuffer>).buffer]
      : [],
);
