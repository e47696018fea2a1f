/** Windows: the monitors and their input through Win32, commands, and the Credential Manager. */

import { openGdi32 } from "../../../ffi/windows/graphics.ts";
import { openKernel32 } from "../../../ffi/windows/kernel32.ts";
import { openUser32 } from "../../../ffi/windows/user32.ts";
import type { Config } from "../../config/config.ts";
import { openBrowser } from "../browser/open_browser.ts";
import { type Diagnosis, examineDisplayCapability, ok } from "../diagnosis.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import { available } from "../capability.ts";
import type { BackendChoice, Platform, Readiness } from "../types/mod.ts";
import { WindowsDisplays } from "./displays.ts";
import { openWindowsFileSystem } from "./files/file_system.ts";
import { windowsKeychain } from "./keychain.ts";
import { WindowsPeers } from "./peers.ts";
import { openProcessTable, openWindowsProcesses } from "./processes.ts";

export async function openWindows(host: Host, config: Config): Promise<Platform> {
  const files = openWindowsFileSystem();
  const displays = openDisplays();
  const processes = openWindowsProcesses(host, config);
  const peers = new WindowsPeers();
  const browser = openBrowser(host, { ...config, stateDirs: [config.stateDir] }, () => ({}));
  const { keychain, choice } = await openKeychain(config, windowsKeychain(), files);
  return {
    system: "windows",
    displays,
    keychain,
    peers: available(peers),
    processes: available(processes),
    processTable: available(openProcessTable(openKernel32().symbols)),
    files,
    browser,
    backends: () => [...screenChoices(displays.state()), choice],
    async [Symbol.asyncDispose]() {
      if (browser.ready) await browser.use[Symbol.asyncDispose]();
      displays[Symbol.dispose]();
      await peers[Symbol.asyncDispose]();
      await processes[Symbol.asyncDispose]();
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}

/** Opens the displays; their libraries stay open until the process ends. */
function openDisplays(): WindowsDisplays {
  return new WindowsDisplays({ user32: openUser32().symbols, gdi32: openGdi32().symbols });
}

function screenChoices({ ready, reason }: Readiness): BackendChoice[] {
  if (ready) {
    return [
      { job: "display", chosen: "gdi", reason },
      {
        job: "input",
        chosen: "sendinput",
        reason:
          "built in; it does not reach windows of administrators unless the service runs as one",
      },
    ];
  }
  return [
    { job: "display", chosen: null, reason: `${reason}; tried again with each request` },
    { job: "input", chosen: null, reason: "display 1 is not available" },
  ];
}

// The checks of Windows: the desktop of the session, pictures of it, and input.

export const windowsDiagnosis: Diagnosis = {
  async display(examine, _host, config) {
    const mend = "run it in the session of the user at the screen, unlocked (install-service does)";
    await examineDisplayCapability(examine, openDisplays(), { config, mend });
  },
  async programs(examine) {
    await examine("programs", () => ok("none is needed"));
  },
  async permissions(examine) {
    const limit = "windows of administrators accept input only from an administrator";
    await examine("permissions", () => ok(`none is requested; ${limit}`));
  },
  openKeychain: (_host, config) => openKeychain(config, windowsKeychain(), openWindowsFileSystem()),
  findPortOwner: () => Promise.resolve(undefined),
  portCommand: (port) => `netstat -ano | findstr :${port}`,
};
