/** macOS: commands and the keychain; seeing and controlling the screen is not built yet, and it says so. */

import type { Config } from "../../config.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import type { Platform } from "../types.ts";
import { openUnsupported } from "../unsupported.ts";
import { macosKeychain } from "./keychain.ts";
import { openMacosProcesses } from "./processes.ts";

export async function openMacos(host: Host, config: Config): Promise<Platform> {
  const timeoutMs = config.limits.keychainTimeoutMs;
  const keychain = await openKeychain(config, macosKeychain(host, { timeoutMs }));
  const reason = "This version cannot see or control the screen of macOS; it can on Linux with X11";
  return openUnsupported("macos", reason, {
    ...keychain,
    processes: openMacosProcesses(host, config),
  });
}
