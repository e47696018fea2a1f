/** The checks of macOS: its permissions, and the programs that the service drives. */

import {
  type Diagnosis,
  examineDisplayCapability,
  failed,
  findWanted,
  ok,
  type Verdict,
} from "../diagnosis.ts";
import { openKeychain } from "../keychain/open_keychain.ts";
import { Desktop } from "./desktop.ts";
import { MacosDisplays } from "./displays.ts";
import { openMacosFileSystem } from "./files/mod.ts";
import { macosKeychain } from "./keychain.ts";
import { openPrograms, type Program } from "./programs.ts";

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
