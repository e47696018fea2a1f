/** A system whose screen the service cannot control yet: every display answers 501 with the reason. */

import { ServiceError } from "../errors.ts";
import type { Platform, Processes, System } from "./types.ts";

/** `processes` runs commands, where that works without a screen. */
export function openUnsupported(system: System, reason: string, processes?: Processes): Platform {
  const refuse = () => {
    throw new ServiceError("unsupported", reason);
  };
  return {
    system,
    displays: {
      open: refuse,
      list: () => Promise.resolve().then(refuse),
      readiness: () => Promise.resolve({ ready: false, reason }),
    },
    peers: { ready: false, reason: "There is no table of connections to look at" },
    processes: processes === undefined
      ? { ready: false, reason: "This version cannot run commands on this system" }
      : { ready: true, use: processes },
    backends: () => [
      { job: "display", chosen: null, reason },
      { job: "input", chosen: null, reason },
    ],
    async [Symbol.asyncDispose]() {
      await processes?.[Symbol.asyncDispose]();
    },
  };
}
