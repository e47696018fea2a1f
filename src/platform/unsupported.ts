/** The platform of a system without screen support: every display answers 501 with the reason. */

import { ServiceError } from "../core/errors.ts";
import type { OpenedKeychain } from "./keychain/open_keychain.ts";
import { missing } from "./open_port.ts";
import type {
  Browser,
  FileSystem,
  Platform,
  Port,
  Processes,
  ProcessTable,
  System,
} from "./types/mod.ts";

/** The parts that work without a screen. */
export interface OpenedParts extends OpenedKeychain {
  /** Missing where commands are not supported. */
  readonly processes?: Processes;
  readonly processTable?: Port<ProcessTable>;
  readonly files: FileSystem;
  readonly browser?: Port<Browser>;
}

const NO_BROWSER = missing("This version cannot control a browser on this system");
const UNFOLLOWED = missing("This version cannot follow processes on this system");

export function openUnsupported(
  system: System,
  reason: string,
  { keychain, choice, processes, processTable = UNFOLLOWED, browser = NO_BROWSER, files }:
    OpenedParts,
): Platform {
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
    processes: processes === undefined
      ? { ready: false, reason: "This version cannot run commands on this system" }
      : { ready: true, use: processes },
    processTable,
    keychain,
    files,
    browser,
    peers: { ready: false, reason: "There is no table of connections to look at" },
    backends: () => [
      { job: "display", chosen: null, reason },
      { job: "input", chosen: null, reason },
      choice,
    ],
    async [Symbol.asyncDispose]() {
      if (browser.ready) await browser.use[Symbol.asyncDispose]();
      await processes?.[Symbol.asyncDispose]();
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}
