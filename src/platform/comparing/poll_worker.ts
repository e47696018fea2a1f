/** The worker thread that takes pictures of one screen and compares each with the one before. */

import { hasCode } from "../../core/errors.ts";
import { serveJobs } from "../../core/serve_jobs.ts";
import type { PollRequest, PollResult } from "./compared_changes.ts";
import { PictureComparer } from "../../imaging/picture_comparer.ts";
import { openMeasuredScreen } from "../screens.ts";
import type { MeasuredBackend, MeasuredScreen, ScreenAddress } from "../types/mod.ts";

const MAX_TRIES = 3;

const comparer = new PictureComparer();
let opened: Promise<MeasuredScreen> | undefined;

serveJobs(async ({ ask, address }: PollRequest) => {
  if (typeof ask === "object") return comparer.shows(ask.region, ask.sum);
  const screen = await openOnce(address);
  return ask === "poll" ? await pollWithRetry(screen) : screen.cursor();
});

function openOnce(address: ScreenAddress<MeasuredBackend>): Promise<MeasuredScreen> {
  opened ??= openMeasuredScreen(address).catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Asks for the size again if it changes before the picture is taken. */
async function pollWithRetry(screen: MeasuredScreen): Promise<PollResult> {
  for (let tries = 1;; tries++) {
    try {
      return await pollOnce(screen);
    } catch (error) {
      if (!hasCode(error, "conflict") || tries === MAX_TRIES) throw error;
    }
  }
}

async function pollOnce(screen: MeasuredScreen): Promise<PollResult> {
  const size = screen.size();
  const areas = await screen.capture(
    { x: 0, y: 0, ...size },
    { cursor: "hidden" },
    (picture) => comparer.compare(picture),
  );
  return { size, areas };
}
