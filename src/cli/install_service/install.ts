/**
 * `install-service` and `uninstall-service`: start the service when its user logs in, or no longer.
 */

import { dirname, resolve } from "node:path";
import type { Config, Flags } from "../../config/config.ts";
import { ConfigError, type Option } from "../../config/option.ts";
import { OPTIONS, TOKEN_VARIABLE } from "../../config/options.ts";
import { findUserFolders } from "../../config/environment.ts";
import { poll } from "../../core/deadline.ts";
import { replaceAtomically } from "../../core/files.ts";
import { lastLine } from "../../core/texts.ts";
import type { Host } from "../../platform/host.ts";
import type { GivenFlags } from "../arguments.ts";
import { CommandError } from "../command.ts";
import type { ServiceRequest } from "../command_line.ts";
import { findInstances, isHealthy, type RunningInstance } from "../instances.ts";
import type { Launch } from "../launch.ts";
import { type ServiceKind, serviceKind, type Step } from "./service_kinds.ts";

const PRIVATE = 0o600;

/**
 * Writes the file, replacing an existing one, enables the service, and waits until it runs.
 * @param started resolves with the address of the running service, or throws CommandError
 * @throws CommandError when the file cannot be written, a command fails or the service does not
 * start; everything is then restored
 */
export async function installService(
  host: Host,
  kind: ServiceKind,
  started: () => Promise<string>,
): Promise<string> {
  const before = await Deno.readFile(kind.path).catch(() => undefined);
  try {
    await Deno.mkdir(dirname(kind.path), { recursive: true });
    const { text } = kind;
    const bytes = kind.encode?.(text) ?? new TextEncoder().encode(text);
    await replaceAtomically(kind.path, bytes, PRIVATE);
  } catch (error) {
    throw new CommandError(`Cannot write "${kind.path}": ${(error as Error).message}`);
  }
  let address: string;
  try {
    await runAll(host, kind.enable);
    address = await started();
  } catch (error) {
    await takeBack(host, kind, before);
    throw error;
  }
  return [
    `Installed the ${kind.name} "${kind.path}", which runs at ${address};`,
    "computer-control uninstall-service removes it",
    ...kind.note === undefined ? [] : [kind.note],
  ].join("\n");
}

/**
 * Disables the service and removes its file; succeeds when there is none.
 * @throws CommandError when the file cannot be removed
 */
export async function uninstallService(host: Host, kind: ServiceKind): Promise<string> {
  await runAll(host, kind.disable);
  try {
    await Deno.remove(kind.path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `There is no ${kind.name} "${kind.path}"`;
    throw new CommandError(`Cannot remove "${kind.path}": ${(error as Error).message}`);
  }
  await runAll(host, kind.forget);
  return `Removed the ${kind.name} "${kind.path}"`;
}

async function takeBack(
  host: Host,
  kind: ServiceKind,
  before: Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  if (before === undefined) return void await uninstallService(host, kind);
  await replaceAtomically(kind.path, before, PRIVATE);
  // restart the previous version
  await runAll(host, kind.enable.map((step) => ({ ...step, mayFail: true })));
}

async function runAll(host: Host, steps: readonly Step[]): Promise<void> {
  for (const { line: [program, ...args], mayFail = false } of steps) {
    const line = [program, ...args].join(" ");
    if (host.which(program) === undefined) {
      if (mayFail) continue;
      throw new CommandError(`Cannot run "${line}": ${program} is not installed`);
    }
    const { code, output } = await host.run(program, args);
    if (code === 0 || mayFail) continue;
    throw new CommandError(
      `Cannot run "${line}": it ended with ${code}: ${lastLine(output) || "it printed nothing"}`,
    );
  }
}

// Waits until the service that was just installed answers, or reports why it does not.

interface Awaited {
  readonly stateDir: string;
  /** 0 means any port. */
  readonly port: number;
  /** Services that ran before, which are not the installed one. */
  readonly before: ReadonlySet<string>;
}

/** Long enough for a first start that downloads what it needs, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 250;
const LOG_LINES = 8;
const MAX_LOG_BYTES = 16_384;

/** @throws CommandError with the last lines of its log. */
async function awaitStart(
  host: Host,
  kind: ServiceKind,
  awaited: Awaited,
): Promise<RunningInstance> {
  let failed = false;
  const found = await poll(async () => {
    const running = await find(awaited);
    if (running === undefined) failed = await hasFailed(host, kind);
    return running ?? (failed && "failed");
  }, { everyMs: POLL_INTERVAL_MS, timeoutMs: START_TIMEOUT_MS });
  if (typeof found === "object") return found;
  const why = failed ? "it ends" : `it did not respond within ${START_TIMEOUT_MS / 1_000} s`;
  throw new CommandError(
    `The service was removed again, because ${why}. The end of its log:\n` +
      await lastLines(host, kind),
  );
}

function identify({ pid, since }: RunningInstance): string {
  return `${pid} ${since}`;
}

async function find({ stateDir, port, before }: Awaited): Promise<RunningInstance | undefined> {
  const { running } = await findInstances(stateDir);
  const found = running.find((each) =>
    each.ready && !before.has(identify(each)) && (port === 0 || each.port === port)
  );
  return found !== undefined && await isHealthy(found.address) ? found : undefined;
}

async function hasFailed(host: Host, { check }: ServiceKind): Promise<boolean> {
  if (check === undefined) return false;
  const [program, ...args] = check.line;
  return check.hasFailed((await host.run(program, args)).output);
}

async function lastLines(host: Host, { log }: ServiceKind): Promise<string> {
  const text = log === undefined ? "" : await readLog(host, log);
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.slice(-LOG_LINES).map((line) => `  ${line}`).join("\n") || "  (empty)";
}

async function readLog(host: Host, log: NonNullable<ServiceKind["log"]>): Promise<string> {
  try {
    if ("file" in log) return (await Deno.readTextFile(log.file)).slice(-MAX_LOG_BYTES);
    const [program, ...args] = log.line;
    if (host.which(program) === undefined) return `${program} is not installed`;
    return (await host.run(program, args)).output;
  } catch (error) {
    return (error as Error).message;
  }
}

// Refuses to install a program from the cache of a package runner, which can delete it at any time.

/** `~/.npm/_npx/3f2a.../`, and the equivalents of pnpm, yarn and bun. */
const CACHES = /[\\/](?:_npx|_cacache|dlx-[^\\/]+|dlx|bunx-[^\\/]+)[\\/]/;

/** @throws ConfigError with what to do instead. */
function refuseNpmCache(command: readonly string[]): void {
  const cached = command.find((each) => CACHES.test(each));
  if (cached === undefined) return;
  throw new ConfigError(
    `A service cannot be started from a cache that may be emptied at any time ("${cached}"): ` +
      'install the program first ("npm install --global deno", or an executable made by ' +
      '"deno task compile"), and run install-service with that',
  );
}

// Carries out `install-service` and `uninstall-service`.

interface ServiceCommandOptions {
  readonly host: Host;
  readonly launch: Launch;
  /** The folder for relative paths in flags. */
  readonly cwd: string;
  readonly config?: Config | undefined;
}

/**
 * Returns the lines to print.
 * @throws CommandError or ConfigError with one line for the terminal, and the end of the service's
 * log
 */
export async function runServiceCommand(
  request: ServiceRequest,
  { host, launch, cwd, config }: ServiceCommandOptions,
): Promise<string> {
  // `--shell` as the program file that was found
  const shell = config?.shell === undefined ? {} : { shell: config.shell };
  const flags = request.kind === "install" && config !== undefined
    ? serviceFlags({ ...request.flags, ...shell }, host.env, cwd)
    : [];
  if (request.kind === "install") refuseNpmCache(launch.command);
  const folders = findUserFolders(host.os, host.env, undefined);
  const kind = serviceKind(host, folders, [...launch.command, ...flags]);
  if (kind === undefined) {
    throw new CommandError(`There is no service file for this system ("${host.os}")`);
  }
  if (request.kind === "uninstall") return await uninstallService(host, kind);
  if (request.print || config === undefined) return kind.text;
  const { stateDir, port } = config;
  const before = new Set((await findInstances(stateDir)).running.map(identify));
  return await installService(host, kind, async () => {
    return (await awaitStart(host, kind, { stateDir, port, before })).address;
  });
}

// The flags of an installed service: the given ones, with absolute paths and without secrets.

type Env = Readonly<Record<string, string | undefined>>;

/**
 * One argument for each flag: `--name=value`, or `--name` without a value. Relative paths become
 * absolute.
 * @throws ConfigError when the token is in the environment, because a service file must not contain
 * it, or when a value has control characters, which XML cannot contain
 */
export function serviceFlags(flags: Flags, env: Env, cwd: string): readonly string[] {
  if (env[TOKEN_VARIABLE] && flags["token-file"] === undefined) {
    throw new ConfigError(
      `The token of ${TOKEN_VARIABLE} is not written into a service file, because other users may be able to read it: ` +
        `put it into a file with mode 600 and pass that by --token-file`,
    );
  }
  const given: GivenFlags = flags;
  return Object.values(OPTIONS).flatMap(({ flag, isPath }: Option<string, never>) => {
    const value = given[flag];
    if (value === undefined) return [];
    if (value === true) return [`--${flag}`];
    refuseControls(flag, String(value));
    return [value].flat().map((each) => `--${flag}=${isPath ? resolve(cwd, each) : each}`);
  });
}

/** XML cannot contain control characters, and no sensible value has them. */
function refuseControls(flag: string, value: string): void {
  // deno-lint-ignore no-control-regex -- these are the characters to find
  if (!/[\x00-\x1f\x7f]/.test(value)) return;
  throw new ConfigError(`--${flag}: a service file cannot contain control characters`);
}
