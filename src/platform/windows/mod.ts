/** Windows: the monitors and their input through Win32, commands, and the Credential Manager. */

import { openGdi32 } from "../../../ffi/windows/graphics.ts";
import { openKernel32 } from "../../../ffi/windows/kernel32.ts";
import { openUser32 } from "../../../ffi/windows/user32.ts";
import type { Config } from "../../config/config.ts";
import { openBrowser } from "../browser/open_browser.ts";
import { type Diagnosis, examineDisplayCapability, ok } from "../diagnosis.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import { openCapability, openUnsupported } from "../capability.ts";
import type { BackendChoice, Capability, Platform, Readiness } from "../types/mod.ts";
import { WindowsDisplays } from "./displays.ts";
import { openWindowsFileSystem } from "./files/file_system.ts";
import { windowsKeychain } from "./keychain.ts";
import { openPeers } from "./peers.ts";
import { openProcessTable } from "./process_table.ts";
import { openWindowsProcesses } from "./processes.ts";

export async function openWindows(host: Host, config: Config): Promise<Platform> {
  const files = openWindowsFileSystem();
  const opened = openDisplays();
  const processes = openWindowsProcesses(host, config);
  const peers = openPeers();
  const processTable = openCapability(
    () => openProcessTable(openKernel32().symbols),
    "Cannot follow processes",
  );
  const browser = openBrowser(host, { ...config, stateDirs: [config.stateDir] }, () => ({}));
  const { keychain, choice } = await openKeychain(config, windowsKeychain(), files);
  if (!opened.ready) {
    return openUnsupported("windows", opened.reason, {
      keychain,
      choice,
      processes,
      processTable,
      files,
      browser,
    });
  }
  const displays = opened.use;
  return {
    system: "windows",
    displays,
    keychain,
    peers,
    processes: { ready: true, use: processes },
    processTable,
    files,
    browser,
    backends: () => [...screenChoices(displays.state()), choice],
    async [Symbol.asyncDispose]() {
      if (browser.ready) await browser.use[Symbol.asyncDispose]();
      displays[Symbol.dispose]();
      if (peers.ready) await peers.use[Symbol.asyncDispose]();
      await processes[Symbol.asyncDispose]();
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}

/** Opens the displays; their libraries stay open until the process ends. */
function openDisplays(): Capability<WindowsDisplays> {
  return openCapability(
    () => new WindowsDisplays({ user32: openUser32().symbols, gdi32: openGdi32().symbols }),
    "This Windows has no screen to see or control",
  );
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
    const opened = openDisplays();
    const mend = "run it in the session of the user at the screen, unlocked (install-service does)";
    const displays = opened.ready ? opened.use : {
      open: () => Promise.reject(new Error(opened.reason)),
      readiness: () => Promise.resolve(opened),
    };
    await examineDisplayCapability(examine, displays, { config, mend });
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
