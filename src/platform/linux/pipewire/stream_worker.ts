/** The worker thread that drives one stream of PipeWire. */

import { serveJobs } from "../../../core/serve_jobs.ts";
import type { StreamJob, StreamJobs } from "./stream_messages.ts";
import { StreamThread } from "./stream.ts";

let stream: StreamThread | undefined;

serveJobs(async ({ name, input }: StreamJob, caller) => {
  if (name === "look") return stream!.look();
  if (name === "close") return await stream?.close();
  const { page, ...target } = input as StreamJobs["open"]["in"];
  stream = new StreamThread(target, page, (news) => caller.notify(news));
  return await stream.run();
});
