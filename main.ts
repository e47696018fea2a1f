/** Starts the service: command line -> Config -> the service, until a signal ends it. */

import { fileURLToPath } from "node:url";
import { readCommandLine, type ServiceRequest } from "./src/cli/command_line.ts";
import { findShell } from "./src/cli/find_shell.ts";
import { checkOpenings } from "./src/cli/open_command.ts";
import { showStatus, type StatusRequest } from "./src/cli/status.ts";
import { type StopRequest, stopServices } from "./src/cli/stop.ts";
import { type Config, ConfigError, readConfig } from "./src/config/config.ts";
import { ServiceError } from "./src/core/errors.ts";
import { readTokenFile } from "./src/config/read_token_file.ts";
import type { Flags } from "./src/config/flags.ts";
import { checkBinding } from "./src/http/bind_guard.ts";
import { environmentChanges, type Launch, readLaunch, type Started } from "./src/cli/launch.ts";
import { log } from "./src/core/log.ts";
import { type Host, thisHost } from "./src/platform/host.ts";
import { protectMemory } from "./src/platform/mod.ts";
import { readPlaces } from "./src/config/places.ts";
import { serve, StartError } from "./src/cli/serve.ts";
import { InstallError } from "./src/cli/install_service/install.ts";
import { runServiceCommand } from "./src/cli/install_service/service_command.ts";
import { holdUnpacked } from "./src/cli/unpacked.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Runs the program and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  const launch = readLaunch(started());
  const request = readCommandLine(args, launch.version);
  if (request.kind === "print") {
    console.log(request.text.trimEnd());
    return 0;
  }
  if (request.kind === "refuse") return refuse(request.message, 2);
  if (request.kind === "uninstall") return await service(request, launch);
  if (request.kind === "stop" || request.kind === "status") return await about(request);
  const host = thisHost(); // before our own settings are hidden
  let config: Config;
  try {
    config = configOf(request.flags, host);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ServiceError) {
      return refuse(error.message, 2);
    }
    return crash(error);
  }
  if (request.kind === "install") return await service(request, launch, { host, config });
  try {
    const host = thisHost();
    await protectMemory(host); // before anything is started that could look
    const held = launch.unpacked === undefined ? undefined : holdUnpacked(launch.unpacked);
    held?.catch((error) => log.warn("cannot remove old versions", { error: String(error) }));
    return await serve(config, host, launch);
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message, 1);
    return crash(error);
  }
}

/** `stop` and `status`. */
async function about(request: StopRequest | StatusRequest): Promise<number> {
  const { os, env } = thisHost();
  const { stateDir } = readPlaces(os, env, request.stateDir);
  const options = { os, stateDir };
  const { code, lines = [], errors = [] } = request.kind === "stop"
    ? await stopServices(request, options)
    : await showStatus(request, options);
  if (lines.length > 0) console.log(lines.join("\n"));
  for (const error of errors) refuse(error, code);
  return code;
}

async function service(
  request: ServiceRequest,
  launch: Launch,
  { host = thisHost(), config }: { readonly host?: Host; readonly config?: Config } = {},
): Promise<number> {
  const options = { host, launch, cwd: Deno.cwd(), config };
  try {
    console.log((await runServiceCommand(request, options)).trimEnd());
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.message, 2);
    if (error instanceof InstallError) return refuse(error.message, 1);
    throw error;
  }
}

function configOf(flags: Flags, host: Host): Config {
  const env = Deno.env.toObject();
  const config = readConfig(flags, env, readTokenFile, Deno.build.os);
  checkBinding(config);
  hideFromChildren(env);
  checkOpenings(config.open, host, Deno.cwd());
  if (config.shell === undefined) return config;
  return { ...config, shell: findShell(config.shell, host, Deno.cwd()) };
}

/** Programs that we start inherit the environment, and the token is none of their business. */
function hideFromChildren(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of environmentChanges(env)) {
    if (value === undefined) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
}

function started(): Started {
  return {
    env: Deno.env.toObject(),
    standalone: Deno.build.standalone,
    program: Deno.execPath(),
    script: fileURLToPath(Deno.mainModule),
    deno: Deno.version.deno,
  };
}

/** A bug of ours: the stack says where. */
function crash(error: unknown): number {
  log.error("crashed", { error: (error as Error)?.stack ?? String(error) });
  return 1;
}

function refuse(message: string, code: number): number {
  console.error(`computer-control: ${message}`);
  return code;
}
