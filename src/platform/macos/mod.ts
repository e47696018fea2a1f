/** macOS: pictures by screencapture, mouse and keyboard by cliclick, secrets in the Keychain. */

import type { Config } from "../../config/config.ts";
import { openBrowser } from "../browser/open_browser.ts";
import {
  type Diagnosis,
  examineDisplayCapability,
  failed,
  findWanted,
  ok,
  type Verdict,
} from "../diagnosis.ts";
import { commandEnvironment } from "../environment.ts";
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
import { openPrograms, type Program, type Programs } from "./programs.ts";

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
  const display = listProblems(last, programs).filter((problem) => !input.includes(problem));
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

// The checks of macOS: its permissions, and the programs that the service drives.

const SETTINGS = "x-apple.systempreferences:com.apple.preference.security?Privacy";
const BUILT_IN: readonly Program[] = ["osascript", "screencapture"];
const AGAIN = "allow the terminal (or deno) there, and restart it";

export const macosDiagnosis: Diagnosis = {
  async display(examine, host, config) {
    const programs = openPrograms(host);
    const displays = new MacosDisplays(programs, new Desktop(programs));
    const mend = "run it in the session of the user at the screen (install-service does)";
    await examineDisplayCapability(examine, displays, { config, mend });
  },

  async programs(examine, host, config) {
    const { find } = openPrograms(host);
    const { input } = findWanted(config);
    await examine("cliclick", () => {
      if (find("cliclick") !== undefined) return ok("it is installed");
      return failed("it is not installed: mouse and keyboard need it", "brew install cliclick");
    }, { asked: input });
    await examine("programs", () => {
      const missing = BUILT_IN.filter((program) => find(program) === undefined);
      if (missing.length === 0) return ok("those of macOS are available");
      return failed(`not found: ${missing.join(", ")}`, "PATH=/usr/bin:/usr/sbin:$PATH");
    });
  },

  async permissions(examine, host, config) {
    const wanted = findWanted(config);
    const desktop = new Desktop(openPrograms(host));
    const ask = (name: string, key: "accessibility" | "recording", asked: boolean) =>
      examine(name, async () => permission((await desktop.read())[key], key), { asked });
    await ask("Screen Recording", "recording", wanted.pictures);
    await ask("Accessibility", "accessibility", wanted.input);
  },

  openKeychain: (host, config) => {
    const { keychainTimeoutMs: timeoutMs } = config.limits;
    return openKeychain(config, macosKeychain(host, { timeoutMs }), openMacosFileSystem());
  },
  findPortOwner: () => Promise.resolve(undefined),
  portCommand: (port) => `lsof -nP -iTCP:${port} -sTCP:LISTEN`,
};

function permission(granted: boolean | null, key: "accessibility" | "recording"): Verdict {
  if (granted === null) {
    return ok("this version of macOS does not report it; see the result of the test");
  }
  if (granted) return ok("granted");
  const pane = key === "recording" ? "ScreenCapture" : "Accessibility";
  return failed("macOS does not allow it", `open "${SETTINGS}_${pane}", ${AGAIN}`);
}
