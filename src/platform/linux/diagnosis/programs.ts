/** The checks of Linux. */

import { statfs } from "node:fs/promises";
import type { Config } from "../../../config/config.ts";
import { type Diagnosis, type Examine, failed, note, ok, type Verdict } from "../../diagnosis.ts";
import { runHelper } from "../../helper_program.ts";
import type { Host } from "../../host.ts";
import { openKeychain } from "../../keychain/open_keychain.ts";
import { openLinuxFileSystem } from "../files/file_system.ts";
import { secretService } from "../secret_service/keychain.ts";
import { findPackages, installCommand, missingPackages } from "../setup/programs.ts";
import { findPortOwner } from "../sockets/socket_holders.ts";
import { examineDisplay } from "./display.ts";

// Checks what the kernel, the container or an administrator may have taken away.

const MIB = 1_024 * 1_024;
/** Docker gives 64 MiB, with which browsers crash. */
const MIN_SHARED = 65 * MIB;
const SHM = "/dev/shm";

async function examinePermissions(examine: Examine, host: Host): Promise<void> {
  await examine("processes", () => checkProcesses(host), { asked: false });
  await examine("shared memory", checkSharedMemory, { asked: false });
}

/** The parent of all others belongs to root: an ordinary user sees it unless `hidepid` hides it. */
async function checkProcesses({ uid }: Host): Promise<Verdict> {
  try {
    await Deno.readTextFile("/proc/1/stat");
    return ok(`those of other users are visible${uid === 0 ? ", this is root" : ""}`);
  } catch {
    const detail = "those of other users are hidden (hidepid): the owner of a port is then unknown";
    return note(detail, "sudo mount -o remount,hidepid=0 /proc");
  }
}

async function checkSharedMemory(): Promise<Verdict> {
  const more = "docker run --shm-size=1g, or start browsers with --disable-dev-shm-usage";
  try {
    const { bavail, bsize } = await statfs(SHM);
    const path = await Deno.makeTempFile({ dir: SHM, prefix: "computer-control-" });
    await Deno.remove(path);
    const free = bavail * bsize;
    const text = `${SHM} has ${Math.floor(free / MIB)} MiB free`;
    return free < MIN_SHARED ? note(`${text}: browsers need more`, more) : ok(text);
  } catch (error) {
    return note(`${SHM} cannot be used (${(error as Error).message}): browsers crash`, more);
  }
}

// Checks the programs that the service starts, and the fonts that texts on the screen need.

const FONTS_MS = 3_000;
/** Language for fontconfig -> what is shown as boxes without a font for it, and the package. */
const SCRIPTS = [
  ["en", "Latin letters", "fonts-noto-core"],
  ["el", "Greek", "fonts-noto-core"],
  ["ja", "Japanese and Chinese", "fonts-noto-cjk"],
  ["ko", "Korean", "fonts-noto-cjk"],
  ["und-zsye", "emoji", "fonts-noto-color-emoji"],
] as const;

async function examinePrograms(examine: Examine, host: Host, config: Config): Promise<void> {
  await examine("programs", () => checkPrograms(host, config));
  await examine("fonts", () => checkFonts(host), { asked: false });
}

async function checkPrograms(host: Host, { backend }: Config): Promise<Verdict> {
  if (backend === "xdotool" && host.which("xdotool") === undefined) {
    const detail = "--backend xdotool, and xdotool is not installed";
    return failed(detail, installCommand(host, findPackages("xdotool")));
  }
  const missing = await missingPackages(host, ["start"]);
  if (missing.length === 0) return ok("all programs that the service can start are installed");
  return note(`not installed: ${missing.join(", ")}`, installCommand(host, missing));
}

async function checkFonts(host: Host): Promise<Verdict> {
  if (host.which("fc-list") === undefined) {
    return note("unknown: fc-list is not installed", installCommand(host, ["fontconfig"]));
  }
  const counts = await Promise.all(SCRIPTS.map(([language]) => countFonts(language)));
  const lacking = SCRIPTS.filter((_, index) => counts[index] === 0);
  if (lacking.length === 0) return ok("there are fonts for Latin, Greek, CJK and emoji");
  const what = lacking.map(([, what]) => what).join(", ");
  const packages = [...new Set(lacking.map(([, , name]) => name))];
  return note(
    `none for ${what}: boxes appear instead of characters`,
    installCommand(host, packages),
  );
}

async function countFonts(language: string): Promise<number> {
  const { stdout } = await runHelper({
    program: "fc-list",
    args: [`:lang=${language}`, "family"],
    timeoutMs: FONTS_MS,
    failure: (state, cause) => new Error(`fc-list is ${state}`, { cause }),
  });
  return stdout.split("\n").filter((line) => line !== "").length;
}

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
