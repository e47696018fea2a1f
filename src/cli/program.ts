/**
 * Runs the program: carries out the command line, prints the outcome, and returns the exit code.
 */

import { type Config, type Flags, readConfig, readValues } from "../config/config.ts";
import type { Limits } from "../config/limits.ts";
import { ConfigError } from "../config/option.ts";
import { OPTIONS } from "../config/options.ts";
import { findUserFolders } from "../config/environment.ts";
import { readTokenFile } from "../config/token.ts";
import { flushLog, log } from "../core/log.ts";
import { surviveStacksWithoutFiles } from "../core/errors.ts";
import { checkBinding } from "../http/address.ts";
import { isLoopback } from "../http/origins.ts";
import { changeEnvironment } from "../platform/environment.ts";
import { type Host, thisHost, thisStart } from "../platform/host.ts";
import { BROKER_COMMAND } from "../platform/linux/bus/open_bus.ts";
import { CommandError, type CommandLineResult, writeLine } from "./command.ts";
import { type McpCommand, readCommandLine, type Request } from "./command_line.ts";
import { checkOpenings, findShell, installOpenings } from "./open_command.ts";
import { environmentChanges, type Launch, readLaunch } from "./launch.ts";
import type { ServeOptions } from "./serve.ts";
import { watchSignals } from "./signals.ts";

/** What tests observe and shorten. */
interface ProgramOptions extends Pick<ServeOptions, "watch"> {
  readonly limits?: Partial<Limits>;
}

export async function runProgram(
  args: readonly string[],
  { watch, limits }: ProgramOptions = {},
): Promise<number> {
  surviveStacksWithoutFiles();
  try {
    if (args[0] === BROKER_COMMAND) {
      const { runBroker } = await import("../platform/linux/bus/connection_broker.ts");
      return await runBroker(args.slice(1));
    }
    const launch = readLaunch(thisStart());
    const request = readCommandLine(args, launch.version);
    if (request.kind === "serve") {
      return await startServing(request.flags, { ...launch, watch, limits });
    }
    if (request.kind === "mcp") return await startMcp(request, launch);
    return print(await execute(request, launch));
  } catch (error) {
    if (error instanceof ConfigError) return print({ code: 2, errors: [error.message] });
    if (error instanceof CommandError) return print({ code: 1, errors: [error.message] });
    log.error("crashed", { error: (error as Error)?.stack ?? String(error) }); // a bug of ours
    return 1;
  } finally {
    await flushLog();
  }
}

/**
 * Loads the modules that only the running service needs, in one step, so that the other commands
 * respond quickly.
 */
async function startServing(
  flags: Flags,
  { limits, ...options }: Omit<ServeOptions, "signals"> & {
    readonly limits: Partial<Limits> | undefined;
  },
): Promise<number> {
  const made = await makeConfig(flags, thisHost());
  const config = { ...made, limits: { ...made.limits, ...limits } };
  const host = thisHost(); // without our own settings
  const signals = watchSignals(host.os);
  const { serve } = await import("./serve.ts");
  return await serve(config, host, { ...options, signals });
}

async function startMcp(request: McpCommand, launch: Launch): Promise<number> {
  const config = await makeConfig(request.flags, thisHost());
  const { bridgeMcp, findRunningService, joinMcp, serveMcp } = await import("./mcp.ts");
  if (request.url !== undefined) return await bridgeMcp(request.url, config);
  const running = request.joins ? await findRunningService(config.stateDir) : undefined;
  if (running !== undefined) return await joinMcp(running, config);
  return await serveMcp(config, thisHost(), launch);
}

async function execute(
  request: Exclude<Request, { readonly kind: "serve" | "mcp" }>,
  launch: Launch,
): Promise<CommandLineResult> {
  if (request.kind === "print") return { code: 0, lines: [request.text] };
  const host = thisHost();
  if (request.kind === "call") return (await import("./call/call.ts")).runCall(request.args, host);
  if (request.kind === "replay") {
    return await (await import("./replay/replay.ts")).runReplay(request, host);
  }
  if (request.kind === "completion") {
    return (await import("./completion.ts")).printCompletion(request.args);
  }
  if (request.kind === "__complete") {
    return await (await import("./completion.ts")).printCandidates(request.args);
  }
  if (request.kind === "grant") {
    requireWayland(host);
    const options = { host, launch, started: thisStart(), cwd: Deno.cwd() };
    const lines = request.grant === "kde"
      ? await (await import("./grant/kde.ts")).grantKde(request, options)
      : await (await import("./grant/portal.ts")).grantPortal(request, options);
    return { code: 0, lines };
  }
  if (request.kind === "install" || request.kind === "uninstall") {
    const { runServiceCommand } = await import("./install_service/install.ts");
    const config = request.kind === "install" ? await makeConfig(request.flags, host) : undefined;
    const options = { host, launch, cwd: Deno.cwd(), config };
    return { code: 0, lines: [await runServiceCommand(request, options)] };
  }
  if (request.kind === "doctor") {
    const config = readConfig(request.flags, host.env, readTokenFile, host.os);
    await applyTrust(config);
    changeEnvironment(environmentChanges(host.env)); // as for the service
    const { runDoctor } = await import("./doctor.ts");
    const { version } = launch;
    return await runDoctor(request.json, { config, cwd: Deno.cwd(), version, system: host.os });
  }
  await applyTrust(readValues({ trustHome: OPTIONS.trustHome }, {}, host.env));
  const { stateDir } = findUserFolders(host.os, host.env, request.stateDir);
  const options = { os: host.os, stateDir };
  if (request.kind === "token") {
    return await (await import("./token.ts")).runToken(request, options);
  }
  const { showStatus, stopServices } = await import("./status_and_stop.ts");
  if (request.kind === "status") return await showStatus(request, options);
  return await stopServices(request, options);
}

/** @throws ConfigError, also for errors that only show on this computer. */
async function makeConfig(flags: Flags, host: Host): Promise<Config> {
  const config = readConfig(flags, host.env, readTokenFile, host.os);
  await applyTrust(config);
  checkBinding({ ...config, hasTokens: await hasTokens(config) });
  changeEnvironment(environmentChanges(host.env)); // programs that we start must not see the token
  await installOpenings(config.open, host, config.setup);
  checkOpenings(config.open, host, Deno.cwd());
  if (config.shell === undefined) return config;
  return { ...config, shell: findShell(config.shell, host, Deno.cwd()) };
}

async function applyTrust({ trustHome }: Pick<Config, "trustHome">): Promise<void> {
  if (trustHome) (await import("../platform/private_folder.ts")).trustHome();
}

/** Whether there are tokens in the state folder, if that is what permits the address. */
async function hasTokens({ host, token, noAuth, stateDir }: Config): Promise<boolean> {
  if (isLoopback(host) || token !== undefined || noAuth) return false;
  try {
    return await (await import("../http/tokens/token_store.ts")).hasTokens(stateDir);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}

function print({ code, lines = [], errors = [] }: CommandLineResult): number {
  if (lines.length > 0) writeLine(lines.join("\n").trimEnd());
  for (const error of errors) console.error(`computer-control: ${error}`);
  return code;
}

/** @throws CommandError on a system without it */
export function requireWayland({ os }: Host): void {
  if (os === "linux") return;
  throw new CommandError(`grant is for Wayland desktops on Linux, and this is "${os}"`);
}
