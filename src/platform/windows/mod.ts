/** Windows: commands run; the screen is not built yet, and it says so. */

import type { Config } from "../../config.ts";
import type { Host } from "../host.ts";
import type { Platform } from "../types.ts";
import { openUnsupported } from "../unsupported.ts";
import { openWindowsProcesses } from "./processes.ts";

export function openWindows(host: Host, config: Config): Promise<Platform> {
  const reason =
    "This version cannot see or control the screen of Windows; it can on Linux with X11";
  return Promise.resolve(openUnsupported("windows", reason, openWindowsProcesses(host, config)));
}
