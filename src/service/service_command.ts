/** Carries out `install-service` and `uninstall-service`. */

import type { ServiceRequest } from "../command_line.ts";
import type { Launch } from "../launch.ts";
import { readPlaces } from "../places.ts";
import type { Host } from "../platform/host.ts";
import { InstallError, installService, uninstallService } from "./install.ts";
import { serviceFlags } from "./service_flags.ts";
import { serviceKind } from "./service_kinds.ts";

/**
 * Returns what to print.
 * @param cwd what relative paths of flags start from
 * @throws InstallError or ConfigError with one line for the terminal.
 */
export async function runServiceCommand(
  request: ServiceRequest,
  { host, launch, cwd }: { readonly host: Host; readonly launch: Launch; readonly cwd: string },
): Promise<string> {
  const flags = request.kind === "install" ? serviceFlags(request.flags, host.env, cwd) : [];
  const places = readPlaces(host.os, host.env, undefined);
  const kind = serviceKind(host, places, [...launch.command, ...flags]);
  if (kind === undefined) {
    throw new InstallError(`There is no service file for this system ("${host.os}")`);
  }
  if (request.kind === "uninstall") return await uninstallService(host, kind);
  if (request.print) return kind.text;
  return await installService(host, kind);
}
