/** macOS: pictures by screencapture, mouse and keyboard by cliclick, secrets in the Keychain. */

import type { Config } from "../../config/config.ts";
import { openBrowser } from "../browser/open_browser.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import { NicePriority } from "../posix/opened_program.ts";
import { chooseUserShell, findUserHome, openProcessTable } from "../posix/process_table.ts";
import { PosixProcesses } from "../posix/processes.ts";
import type { BackendChoice, Platform } from "../types/mod.ts";
import { Desktop } from "./desktop.ts";
import { listInputProblems, listProblems, MacosDisplays } from "./displays.ts";
import { openMacosFileSystem } from "./files/mod.ts";
import { macosKeychain } from "./keychain.ts";
import { openPrograms, type Programs } from "./programs.ts";

export async function openMacos(
  host: Host,
  config: Config,
  { programMs }: { readonly programMs?: number } = {},
): Promise<Platform> {
  const files = openMacosFileSystem();
  const timeoutMs = config.limits.keychainTimeoutMs;
  const opening = openKeychain(config, macosKeychain(host, { timeoutMs }), files);
  const programs = openPrograms(host, programMs);
  const desktop = new Desktop(programs);
  const displays = new MacosDisplays(programs, desktop);
  await desktop.read().catch(() => {}); // every operation asks again, and reports the reason
  const env = commandEnvironment(host.env, { token: config.token });
  // process groups as on Linux, but without a process table to list their members
  const processes = new PosixProcesses({
    home: findUserHome(host),
    opener: ["open"],
    shell: chooseUserShell(host, config),
    env: () => env,
    setsid: undefined,
    table: undefined,
    openPipe: () => undefined,
    priority: new NicePriority(config.limits.commandNice),
  });
  const browser = openBrowser(host, { ...config, stateDirs: [config.stateDir] }, () => ({}));
  const { keychain, choice } = await opening;
  return {
    system: "macos",
    displays,
    keychain,
    peers: { ready: false, reason: "There is no table of connections to look at" },
    processes: { ready: true, use: processes },
    processTable: { ready: true, use: openProcessTable() },
    files,
    browser,
    backends: () => [...choices(desktop, programs), choice],
    async [Symbol.asyncDispose]() {
      if (browser.ready) await browser.use[Symbol.asyncDispose]();
      await processes[Symbol.asyncDispose]();
      await displays[Symbol.asyncDispose]();
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}

/** The reason lists the permissions still to be granted; the backend is chosen regardless. */
function choices({ last }: Desktop, programs: Programs): BackendChoice[] {
  if (last === undefined) {
    const reason = "macOS has not reported its displays yet";
    return [{ job: "display", chosen: null, reason }, { job: "input", chosen: null, reason }];
  }
  const input = listInputProblems(last, programs);
  const display = listProblems(last, programs).filter((fault) => !input.includes(fault));
  const hasInput = programs.find("cliclick") !== undefined;
  return [
    {
      job: "display",
      chosen: last.screens.length > 0 ? "screencapture" : null,
      reason: display.join("; ") || "a part of macOS",
    },
    {
      job: "input",
      chosen: hasInput ? "cliclick" : null,
      reason: input.join("; ") || "it is installed, and permitted to control the computer",
    },
  ];
}
