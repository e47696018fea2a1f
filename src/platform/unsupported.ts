/** A system that the service cannot control yet: every display answers 501 with the reason. */

import { ServiceError } from "../errors.ts";
import type { Platform, System } from "./types.ts";

export function openUnsupported(system: System, reason: string): Platform {
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
    backends: () => [
      { job: "display", chosen: null, reason },
      { job: "input", chosen: null, reason },
    ],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
