/** Windows: commands and the keychain; seeing and controlling the screen is not built yet, and it says so. */

import type { Config } from "../../config.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import type { Platform } from "../types.ts";
import { openUnsupported } from "../unsupported.ts";
import { windowsKeychain } from "./keychain.ts";
import { openWindowsProcesses } from "./processes.ts";

export async function openWindows(host: Host, config: Config): Promise<Platform> {
  const keychain = await openKeychain(config, windowsKeychain());
  const reason =
    "This version cannot see or control the screen of Windows; it can on Linux with X11";
  return openUnsupported("windows", reason, {
    ...keychain,
    processes: openWindowsProcesses(host, config),
  });
}
