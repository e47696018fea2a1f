/** The worker that runs picture jobs beside the thread that answers requests. */

import { serveJobs } from "../../core/serve_jobs.ts";
import { JobRunner } from "./jobs.ts";
import type { PictureJob, PictureResult } from "./pictures.ts";

const runner = new JobRunner();

serveJobs(async ({ name, screen, job }: PictureJob, caller): Promise<PictureResult> => {
  try {
    const result = await runner.run(name, screen, job);
    return { result, reading: runner.lastReading(screen) };
  } catch (error) {
    caller.notify(runner.lastReading(screen));
    throw error;
  }
}, listTransferables);

/** Transfers the bytes of a picture instead of copying them. */
function listTransferables({ result }: PictureResult): Transferable[] {
  const bytes = (result as { bytes?: Uint8Array<ArrayBuffer> } | undefined)?.bytes;
  return bytes === undefined ? [] : [bytes.buffer];
}
