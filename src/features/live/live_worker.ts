/** The thread of one watched display: captures and encodes it beside the thread that answers requests. */

import { serveJobs } from "../../core/serve_jobs.ts";
import { LivePicture } from "./live_picture.ts";
import type { LiveJob } from "./live_screen.ts";

const { promise: opened, resolve } = Promise.withResolvers<LivePicture>();

serveJobs(async ({ name, input }: LiveJob, caller): Promise<unknown> => {
  if (name !== "serve") return await (await opened)[name](input as never);
  resolve(await LivePicture.open((news, transfer) => caller.notify(news, transfer)));
  return await new Promise<never>(() => {}); // until the thread is ended
});
