/** What doctor checks in each area. */

import type { Config } from "../../config/config.ts";
import { openDiagnosis } from "../../platform/diagnosis/mod.ts";
import { type Examine, failed, ok, type Verdict } from "../../platform/diagnosis/verdict.ts";
import { findWanted } from "../../platform/diagnosis/wanted.ts";
import type { Host } from "../../platform/host.ts";
import type { Diagnosis } from "../../platform/types/diagnosis.ts";
import { findShell } from "../find_shell.ts";
import { checkOpenings } from "../open_command.ts";
import type { AreaName } from "./area_names.ts";
import { examineNetwork } from "./network.ts";
import { examineStorage } from "./storage.ts";

export interface AreaOptions {
  readonly host: Host;
  readonly config: Config;
  /** The folder for relative paths. */
  readonly cwd: string;
}

type Area = (examine: Examine, options: AreaOptions, system: Diagnosis) => Promise<void>;

const AREAS = {
  display: (examine, { host, config }, system) => system.display(examine, host, config),
  keychain: examineKeychain,
  storage: (examine, { config }) => examineStorage(examine, config),
  programs: examinePrograms,
  permissions: (examine, { host, config }, system) => system.permissions(examine, host, config),
  network: (examine, { config }, system) => examineNetwork(examine, config, system),
} satisfies Record<AreaName, Area>;

export async function examineArea(
  name: AreaName,
  examine: Examine,
  options: AreaOptions,
): Promise<void> {
  const system = await openDiagnosis(options.host.os);
  if (system !== undefined) return await AREAS[name](examine, options, system);
  const { os } = options.host;
  await examine("system", () => failed(`${os} is not known`, "use Linux, macOS or Windows"));
}

async function examineKeychain(
  examine: Examine,
  { host, config }: AreaOptions,
  system: Diagnosis,
): Promise<void> {
  const { keychain: wanted } = config;
  const mend = wanted === "auto" ? "--keychain file" : "--keychain auto";
  await examine("keychain", async () => {
    if (!findWanted(config).keychain) return ok("not looked at: --disable switches it off");
    const { keychain, choice } = await system.openKeychain(host, config);
    if (!keychain.ready) return failed(keychain.reason, mend);
    await using _open = keychain.use;
    const { ready, reason } = await keychain.use.readiness();
    if (!ready) return failed(reason, choice.chosen === "file" ? STATE_DIR : mend);
    return ok(`${choice.chosen}: ${choice.reason.replace("Cannot use the Secret Service: ", "")}`);
  }, { mend, late: { detail: "the keychain of the session does not answer", mend } });
}

const STATE_DIR = "--state-dir <a folder that can be written>";

async function examinePrograms(
  examine: Examine,
  { host, config, cwd }: AreaOptions,
  system: Diagnosis,
): Promise<void> {
  await system.programs(examine, host, config);
  if (config.shell !== undefined) {
    await examine("shell", () => ok(findShell(config.shell!, host, cwd)), {
      mend: "--shell <path of a shell>",
    });
  }
  if (config.open.length > 0) {
    const found = (): Verdict => {
      checkOpenings(config.open, host, cwd);
      return ok(config.open.map(({ text }) => text).join(", "));
    };
    await examine("open", found, { mend: "install that program, or leave out --open" });
  }
}
