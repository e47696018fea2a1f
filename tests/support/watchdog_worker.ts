/** The thread that watches the main thread: it reports a stall while it lasts. */

import { log } from "../../src/core/log.ts";
import { type Heartbeat, HeartbeatCell, readRunning } from "./watchdog.ts";

const LOOK_MS = 100;
/** Checks without a beat before the first report; each further report takes twice as many. */
const FIRST_REPORT = 10;

declare const self: { onmessage: (event: MessageEvent<Heartbeat>) => void };

self.onmessage = ({ data }) => {
  let beats = -1;
  let looks = 0;
  let reportAt = FIRST_REPORT;
  // counts checks instead of time, because a process that is stopped as a whole makes no checks
  setInterval(() => {
    const now = Atomics.load(data.cells, HeartbeatCell.beats);
    if (now !== beats) [beats, looks, reportAt] = [now, 0, FIRST_REPORT];
    else if (++looks >= reportAt) {
      log.warn("main thread is held up", { ms: looks * LOOK_MS, ran: readRunning(data) });
      reportAt *= 2;
    }
  }, LOOK_MS);
};
