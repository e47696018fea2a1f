/** The checks of Linux. */

import { openKeychain } from "../../keychain/open_keychain.ts";
import type { Diagnosis } from "../../types/diagnosis.ts";
import { openLinuxFileSystem } from "../files/mod.ts";
import { secretService } from "../keychain.ts";
import { examineDisplay } from "./display.ts";
import { examinePermissions } from "./permissions.ts";
import { findPortOwner } from "./port_owner.ts";
import { examinePrograms } from "./programs.ts";

export const linuxDiagnosis: Diagnosis = {
  display: examineDisplay,
  programs: examinePrograms,
  permissions: examinePermissions,
  openKeychain: (host, config) => {
    const { keychainTimeoutMs: timeoutMs } = config.limits;
    return openKeychain(config, secretService(host, { timeoutMs }), openLinuxFileSystem());
  },
  findPortOwner,
  portCommand: (port) => `ss -ltnp 'sport = :${port}'`,
};
