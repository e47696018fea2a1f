/** Carries out `install-service` and `uninstall-service`. */

import type { Config, Flags } from "../../config/config.ts";
import type { ServiceRequest } from "../command_line.ts";
import type { Launch } from "../launch.ts";
import { readPlaces } from "../../config/places.ts";
import type { Host } from "../../platform/host.ts";
import { awaitStart, runningIn } from "./await_start.ts";
import { CommandError } from "../command_error.ts";
import { installService, uninstallService } from "./install.ts";
import { refuseNpmCache } from "./npm_cache.ts";
import { serviceFlags } from "./service_flags.ts";
import { serviceKind } from "./service_kinds.ts";

export interface ServiceCommandOptions {
  readonly host: Host;
  readonly launch: Launch;
  /** The folder for relative paths in flags. */
  readonly cwd: string;
  /** The Config of the flags; for `install-service`. */
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
  const flags = request.kind === "install" && config !== undefined
    ? serviceFlags(withShell(request.flags, config), host.env, cwd)
    : [];
  if (request.kind === "install") refuseNpmCache(launch.command);
  const places = readPlaces(host.os, host.env, undefined);
  const kind = serviceKind(host, places, [...launch.command, ...flags]);
  if (kind === undefined) {
    throw new CommandError(`There is no service file for this system ("${host.os}")`);
  }
  if (request.kind === "uninstall") return await uninstallService(host, kind);
  if (request.print || config === undefined) return kind.text;
  const { stateDir, port } = config;
  const before = await runningIn(stateDir);
  return await installService(host, kind, async () => {
    return (await awaitStart(host, kind, { stateDir, port, before })).address;
  });
}

/** Replaces `--shell` with the program file that was found. */
function withShell(flags: Flags, { shell }: Config): Flags {
  return shell === undefined ? flags : { ...flags, shell };
}
