/** The thread of one recording: pictures are taken and encoded here, beside the requests. */

import { serveJobs } from "../../core/serve_jobs.ts";
import { FrameRecorder } from "./frame_recorder.ts";
import type { RecorderAnswers, RecorderJob } from "./recorder_messages.ts";

let recorder: FrameRecorder | undefined;

serveJobs(async (job: RecorderJob): Promise<RecorderAnswers[RecorderJob["ask"]]> => {
  if (job.ask === "open") {
    recorder = await FrameRecorder.open(job);
    return recorder.progress;
  }
  if (recorder === undefined) throw new TypeError("The recording is not open");
  switch (job.ask) {
    case "begin":
      return recorder.begin();
    case "frame":
      return await recorder.addFrame(job);
    case "chapter":
      return await recorder.addChapter(job.atMs, job.title);
    case "changes in row":
      return await recorder.findChanges(job.size, job.row);
    case "ended":
      return await recorder.ended;
    case "close":
      return await recorder.close(job.endMs);
  }
});
