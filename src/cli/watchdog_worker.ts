/** A thread that watches the main thread: a stall that does not end is reported while it lasts. */

import { log } from "../core/log.ts";
import { type Heartbeat, HeartbeatCell, readRunning } from "./heartbeat.ts";

const LOOK_MS = 100;
/** Looks without a beat after which it is reported, and again after twice as many each time. */
const FIRST_REPORT = 10;

declare const self: { onmessage: (event: MessageEvent<Heartbeat>) => void };

self.onmessage = ({ data }) => {
  let beats = -1;
  let looks = 0;
  let reportAt = FIRST_REPORT;
  // looks are counted, for a process that is stopped as a whole looks at nothing
  setInterval(() => {
    const now = Atomics.load(data.cells, HeartbeatCell.beats);
    if (now !== beats) [beats, looks, reportAt] = [now, 0, FIRST_REPORT];
    else if (++looks >= reportAt) {
      log.warn("main thread is held up", { ms: looks * LOOK_MS, ran: readRunning(data) });
      reportAt *= 2;
    }
  }, LOOK_MS);
};
