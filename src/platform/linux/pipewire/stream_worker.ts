/** The worker thread that drives one stream of PipeWire. */

import { serveJobs } from "../../../core/serve_jobs.ts";
import { type StreamJob, StreamThread } from "./stream.ts";

let stream: StreamThread | undefined;

serveJobs(async (job: StreamJob, caller) => {
  if (job.name === "poll") return stream!.poll();
  if (job.name === "shows") return stream!.shows(job.seen);
  if (job.name === "close") return await stream?.close();
  stream = new StreamThread(job.target, job.page, (news) => caller.notify(news));
  return await stream.run();
});
