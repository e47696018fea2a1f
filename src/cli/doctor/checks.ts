/** What `doctor` checks in each area, and what mends what does not work. */

import { access, constants, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { nearestFolder } from "../../core/files.ts";
import { checkBinding } from "../../http/address.ts";
import {
  type Diagnosis,
  type Examine,
  failed,
  findWanted,
  note,
  ok,
  type Verdict,
} from "../../platform/diagnosis.ts";
import { findVideoEncoder, INSTALL_FFMPEG } from "../../platform/ffmpeg.ts";
import type { Host } from "../../platform/host.ts";
import { checkStateFolder } from "../../platform/private_folder.ts";
import { findInstances, isHealthy, type RunningInstance } from "../instances.ts";
import { checkOpenings, findShell } from "../open_command.ts";
import { formatAddress } from "../serve.ts";

export interface AreaOptions {
  readonly host: Host;
  readonly config: Config;
  /** The folder for relative paths. */
  readonly cwd: string;
}

const OTHER_FOLDER = "--state-dir <a folder that can be written>";

type Area = (examine: Examine, options: AreaOptions, system: Diagnosis) => Promise<void>;

/** The areas in the order of the table; each is checked concurrently with the others. */
export const AREAS: Readonly<Record<string, Area>> = {
  display: (examine, { host, config }, system) => system.display(examine, host, config),
  keychain: examineKeychain,
  storage: (examine, { config }) => examineStorage(examine, config),
  programs: examinePrograms,
  permissions: (examine, { host, config }, system) => system.permissions(examine, host, config),
  network: (examine, { config }, system) => examineNetwork(examine, config, system),
};

async function examineKeychain(
  examine: Examine,
  { host, config }: AreaOptions,
  system: Diagnosis,
): Promise<void> {
  const { keychain: wanted } = config;
  const mend = wanted === "auto" ? "--keychain file" : "--keychain auto";
  await examine("keychain", async () => {
    if (!findWanted(config).keychain) return ok("not checked: disabled by --disable");
    const { keychain, choice } = await system.openKeychain(host, config);
    if (!keychain.ready) return failed(keychain.reason, mend);
    await using _open = keychain.use;
    const { ready, reason } = await keychain.use.readiness();
    if (!ready) return failed(reason, choice.chosen === "file" ? OTHER_FOLDER : mend);
    return ok(`${choice.chosen}: ${choice.reason.replace("Cannot use the Secret Service: ", "")}`);
  }, { mend, late: { detail: "the keychain of the session does not respond", mend } });
}

async function examinePrograms(
  examine: Examine,
  { host, config, cwd }: AreaOptions,
  system: Diagnosis,
): Promise<void> {
  await system.programs(examine, host, config);
  await examine("recording", () => checkRecording(config), {
    asked: false,
    mend: INSTALL_FFMPEG,
  });
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
    await examine("open", found, { mend: "install that program, or omit --open" });
  }
}

async function checkRecording({ disabled }: Config): Promise<Verdict> {
  if (disabled.has("recording")) return ok("not checked: disabled by --disable");
  try {
    const { format } = await findVideoEncoder(["webm", "mp4"]);
    return ok(`ffmpeg makes ${format} videos`);
  } catch (error) {
    throw new Error((error as Error).message.replace(`: ${INSTALL_FFMPEG}`, ""));
  }
}

// Checks the address that the service would listen on, and the services that run already.

async function examineNetwork(examine: Examine, config: Config, system: Diagnosis): Promise<void> {
  let running: readonly RunningInstance[] = [];
  let refused: readonly string[] = [];
  await examine("services", async () => {
    ({ running, refused } = await findInstances(config.stateDir));
    if (refused.length > 0) return note(`a record is ignored: ${refused.join("; ")}`);
    if (running.length === 0) return ok("none is running with this state folder");
    return ok(`${running.length} with this state folder`);
  }, { asked: false, mend: "--state-dir <folder>" });
  for (const each of running) {
    const asked = each.port === config.port;
    await examine(`service ${each.port}`, () => checkService(each, config.version), { asked });
  }
  await examine("address", () => {
    checkBinding(config);
    const token = config.token === undefined ? "without a token" : "with a token";
    return ok(`${config.host}, ${token}`);
  }, { mend: "--token-file <path>" });
  const late = { detail: `"${config.host}" cannot be resolved`, mend: "--host 127.0.0.1" };
  await examine("port", () => checkPort(config, running, system), { late });
}

async function checkService(instance: RunningInstance, version: string): Promise<Verdict> {
  const { address, pid, port, display, ready } = instance;
  const text = `${address}, process ${pid}, version ${instance.version}, ` +
    `display ${display ?? "none"}`;
  const stop = `computer-control stop --port ${port}`;
  if (!ready) return ok(`${text}, starting`);
  if (!await isHealthy(address)) return failed(`${text}: does not respond`, `${stop} --force`);
  if (instance.version === version) return ok(`${text}, responds`);
  return note(`${text}, responds; this program is ${version}`, `${stop}, then restart it`);
}

async function checkPort(
  { host, port }: Config,
  running: readonly RunningInstance[],
  system: Diagnosis,
): Promise<Verdict> {
  if (port === 0) return ok("any free one");
  try {
    Deno.listen({ hostname: host, port }).close();
    return ok(`${port} is free`);
  } catch (error) {
    const { AddrInUse, AddrNotAvailable, PermissionDenied } = Deno.errors;
    if (error instanceof AddrNotAvailable) {
      return failed(`${host} is not an address of this computer`, "--host 127.0.0.1");
    }
    if (error instanceof PermissionDenied) {
      return failed(
        `this user lacks the permission for port ${port}`,
        "--port <number above 1023>",
      );
    }
    if (!(error instanceof AddrInUse)) {
      return failed(`${host}:${port}: ${(error as Error).message}`, "--host 127.0.0.1");
    }
  }
  const own = running.find((each) => each.port === port);
  if (own !== undefined) return ok(`${port} is in use by the service, process ${own.pid}`);
  const owner = await system.findPortOwner(port) ?? "a program of another user";
  if (await isHealthy(formatAddress(host, port).address)) {
    const detail = `${port} is in use by a service with another state folder: ${owner}`;
    return note(detail, "--state-dir <its folder>, or --port 0 for one more service");
  }
  return failed(
    `${port} is in use by ${owner}`,
    `--port 0, or ${system.portCommand(port)} to see it`,
  );
}

// Checks the state folder: whether it is this user's alone, can be written, and has room.

const MIB = 1_024 * 1_024;
const LITTLE = 64 * MIB;
/** Written for the test: as much as the largest of the service's small files. */
const PROBE_BYTES = 64 * 1_024;

async function examineStorage(examine: Examine, { stateDir }: Config): Promise<void> {
  const late = {
    detail: `${JSON.stringify(stateDir)} does not respond: its disk or network share hangs`,
    mend: "--state-dir <a folder on a local disk>",
  };
  await examine("state folder", () => checkFolder(stateDir), { late, mend: OTHER_FOLDER });
  await examine("disk", () => checkSpace(stateDir), { late, mend: OTHER_FOLDER });
}

async function checkFolder(stateDir: string): Promise<Verdict> {
  const shown = JSON.stringify(stateDir);
  try {
    await checkStateFolder(stateDir);
  } catch (error) {
    const { message } = error as Error;
    const [, command] = /: run (.+?)(?: if nobody|, or choose)/.exec(message) ?? [];
    return failed(message.split(": run ")[0]!, command ?? OTHER_FOLDER);
  }
  const nearest = await nearestFolder(stateDir);
  try {
    if (nearest !== stateDir) await access(nearest, constants.W_OK | constants.X_OK);
    else await writeProbe(join(stateDir, `doctor-${crypto.randomUUID()}`));
  } catch (error) {
    return failed(
      `nothing can be written to ${JSON.stringify(nearest)}: ${explainStorage(error)}`,
      isFull(error) ? freeSpace(nearest) : OTHER_FOLDER,
    );
  }
  return ok(nearest === stateDir ? `${shown} can be written` : `${shown} will be created`);
}

async function writeProbe(path: string): Promise<void> {
  try {
    using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
    let left = PROBE_BYTES;
    while (left > 0) left -= await file.write(new Uint8Array(left));
  } finally {
    await Deno.remove(path).catch(() => {}); // it was never made
  }
}

async function checkSpace(stateDir: string): Promise<Verdict> {
  const nearest = await nearestFolder(stateDir);
  const { bavail, bsize } = await statfs(nearest);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB free below ${JSON.stringify(nearest)}`;
  if (free < PROBE_BYTES) return failed(`the disk is full: ${text}`, freeSpace(nearest));
  return free < LITTLE ? note(`little space: ${text}`, freeSpace(nearest)) : ok(text);
}

function freeSpace(folder: string): string {
  return `free some space (df -h ${JSON.stringify(folder)}), or --state-dir <another disk>`;
}

function isFull(error: unknown): boolean {
  return /ENOSPC|EDQUOT|No space|quota/i.test(String(error));
}

function explainStorage(error: unknown): string {
  if (isFull(error)) return "the disk is full";
  const { code } = error as { code?: string };
  if (code === "EROFS") return "it is mounted read-only";
  if (code === "EACCES" || error instanceof Deno.errors.PermissionDenied) {
    return "permission denied";
  }
  return (error as Error).message;
}
