/** The checks of Windows: the desktop of the session, pictures of it, and input. */

import { examineDisplayPort } from "../diagnosis/display_port.ts";
import { ok } from "../diagnosis/verdict.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import type { Diagnosis } from "../types/diagnosis.ts";
import { openWindowsFileSystem } from "./files/mod.ts";
import { windowsKeychain } from "./keychain.ts";
import { openDisplays } from "./mod.ts";

export const windowsDiagnosis: Diagnosis = {
  async display(examine, _host, config) {
    const displays = openDisplays();
    const mend = "run it in the session of the user at the screen, unlocked (install-service does)";
    if (typeof displays !== "string") {
      return await examineDisplayPort(examine, displays, { config, mend });
    }
    const readiness = () => Promise.resolve({ ready: false, reason: displays });
    const refuse = () => Promise.reject(new Error(displays));
    const none = { open: refuse, list: refuse, readiness };
    await examineDisplayPort(examine, none, { config, mend });
  },
  async programs(examine) {
    await examine("programs", () => ok("none is needed"));
  },
  async permissions(examine) {
    const limit = "windows of administrators take input only from an administrator";
    await examine("permissions", () => ok(`none is asked for; ${limit}`));
  },
  openKeychain: (_host, config) => openKeychain(config, windowsKeychain(), openWindowsFileSystem()),
  findPortOwner: () => Promise.resolve(undefined),
  portCommand: (port) => `netstat -ano | findstr :${port}`,
};
