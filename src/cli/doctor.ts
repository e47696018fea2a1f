/**
 * `doctor`: checks what the service would use with the same flags, and says what mends what does
 * not work.
 */

import { access, constants, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { inTime } from "../core/deadline.ts";
import { nearestFolder } from "../core/files.ts";
import { checkBinding } from "../http/address.ts";
import { hasTokens } from "../http/tokens/token_store.ts";
import {
  type Diagnosis,
  type Examine,
  type ExamineOptions,
  failed,
  findWanted,
  note,
  ok,
  type Status,
  type Verdict,
} from "../platform/diagnosis.ts";
import { findVideoEncoder, INSTALL_FFMPEG } from "../platform/ffmpeg.ts";
import { type Host, thisHost } from "../platform/host.ts";
import { checkStateFolder, type Problem, UnusableFolder } from "../platform/private_folder.ts";
import type { CommandLineResult } from "./command.ts";
import { wrap } from "./command_line.ts";
import { findInstances, isHealthy, type RunningInstance } from "./instances.ts";
import { checkOpenings, findShell } from "./open_command.ts";
import { formatAddress } from "./serve.ts";

interface Finding extends Verdict {
  readonly area: string;
  /** The name of the check: `display`. */
  readonly name: string;
  readonly elapsedMs: number;
}

interface DoctorOptions {
  readonly config: Config;
  readonly cwd: string;
  /** `0.1.0 (compiled, Deno 2.9.5)` */
  readonly version: string;
  readonly system: string;
}

const CHECK_TIMEOUT_MS = 8_000;
/** Longer than all checks of an area may take; what is between them can hang, too. */
const AREA_TIMEOUT_MS = 60_000;

/** Exit code 1 when something that was asked for does not work. */
export async function runDoctor(
  json: boolean,
  { config, cwd, ...about }: DoctorOptions,
): Promise<CommandLineResult> {
  const findings = await examineAll({ host: thisHost(), config, cwd });
  const code = findings.some(({ status }) => status === "failed") ? 1 : 0;
  const lines = json ? formatJson(about, findings) : formatTable(about, findings);
  return { code, lines };
}

/** The imports are literal, so that a compiled program contains them. */
const SYSTEMS: Readonly<Record<string, () => Promise<Diagnosis>>> = {
  linux: async () => (await import("../platform/linux/diagnosis/programs.ts")).linuxDiagnosis,
  darwin: async () => (await import("../platform/macos/mod.ts")).macosDiagnosis,
  windows: async () => (await import("../platform/windows/mod.ts")).windowsDiagnosis,
};

async function examineAll(options: AreaOptions): Promise<Finding[]> {
  const { os } = options.host;
  const system = await SYSTEMS[os]?.();
  const areas = await Promise.all(
    Object.entries(AREAS).map(async ([area, examineArea]) => {
      const findings: Finding[] = [];
      const examine = examiner(area, findings);
      try {
        if (system === undefined) throw new Error(`${os} is unknown: use Linux, macOS or Windows`);
        const late = () => new Error(`it does not end (${AREA_TIMEOUT_MS / 1_000} s)`);
        await inTime(examineArea(examine, options, system), AREA_TIMEOUT_MS, late);
      } catch (error) {
        await examine(area, () => Promise.reject(error));
      }
      return findings;
    }),
  );
  return areas.flat();
}

function examiner(area: string, findings: Finding[]): Examine {
  return async (name, check, options = {}) => {
    const start = performance.now();
    const verdict = await judge(check, options);
    const isNote = options.asked === false && verdict.status === "failed";
    const elapsedMs = Math.round(performance.now() - start);
    const found = { area, name, ...verdict, ...isNote && { status: "note" as const }, elapsedMs };
    findings.push(found);
    return found;
  };
}

async function judge(
  check: () => Verdict | Promise<Verdict>,
  { late, mend, limitMs = CHECK_TIMEOUT_MS }: ExamineOptions,
): Promise<Verdict> {
  const isLate = new Error("late");
  try {
    return await inTime(Promise.resolve().then(check), limitMs, () => isLate);
  } catch (error) {
    if (error !== isLate) return failed((error as Error).message, mend);
    const { detail = "it does not respond", mend: advice = mend } = late ?? {};
    return failed(`${detail} (nothing within ${limitMs / 1_000} s)`, advice);
  }
}

// Prints what doctor has found: as a table, or as JSON.

type About = Pick<DoctorOptions, "version" | "system">;

const WIDTH = 100;
const WORDS: Readonly<Record<Status, string>> = { ok: "ok", note: "note", failed: "FAILED" };

function formatTable(about: About, findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = " ".repeat(8 + width + 2);
  // a message of another program may have several lines
  const inColumn = (text: string) =>
    wrap(text.trim().replaceAll(/\s+/g, " "), WIDTH - indent.length).join(`\n${indent}`);
  const rows = findings.flatMap(({ status, name, detail, mend }) => [
    `${WORDS[status].padEnd(8)}${name.padEnd(width)}  ${inColumn(detail)}`,
    ...status === "ok" || mend === undefined ? [] : [`${indent}fix: ${mend}`],
  ]);
  return [
    `Computer Control Service ${about.version}, ${about.system}`,
    "",
    ...rows,
    "",
    conclusion(findings),
  ];
}

function formatJson(about: About, findings: readonly Finding[]): string[] {
  const checks = findings.map(({ elapsedMs, ...rest }) => ({ ...rest, elapsed_ms: elapsedMs }));
  const works = !findings.some(({ status }) => status === "failed");
  return [JSON.stringify({ ...about, works, checks }, undefined, 2)];
}

function conclusion(findings: readonly Finding[]): string {
  const failures = findings.filter(({ status }) => status === "failed").map(({ name }) => name);
  const notes = findings.filter(({ status }) => status === "note").length;
  const further = notes === 0 ? "" : ` (${notes} ${notes === 1 ? "note" : "notes"})`;
  if (failures.length === 0) return `Everything that was requested works${further}.`;
  return `Requested, but does not work: ${failures.join(", ")}${further}.`;
}

// What is checked in each area, and what mends what does not work.

interface AreaOptions {
  readonly host: Host;
  readonly config: Config;
  /** The folder for relative paths. */
  readonly cwd: string;
}

const OTHER_FOLDER = "--state-dir <a folder that can be written>";

type Area = (examine: Examine, options: AreaOptions, system: Diagnosis) => Promise<void>;

/** The areas in the order of the table; each is checked concurrently with the others. */
const AREAS: Readonly<Record<string, Area>> = {
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
  await examine("address", async () => {
    const hasStored = await hasTokens(config.stateDir);
    checkBinding({ ...config, hasTokens: hasStored });
    const isAsked = config.token !== undefined || hasStored;
    const token = isAsked ? "with a token" : "without a token";
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
  const quoted = JSON.stringify(stateDir);
  try {
    await checkStateFolder(stateDir);
  } catch (error) {
    const { text, command = OTHER_FOLDER, provided }: Problem = error instanceof UnusableFolder
      ? error.problem
      : { text: explainStorage(error) };
    const condition = provided === undefined ? "" : `, if ${provided}`;
    return failed(`Cannot use the state folder ${quoted}: ${text}`, command + condition);
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
  return ok(nearest === stateDir ? `${quoted} can be written` : `${quoted} will be created`);
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
