/** The home and the shell of the user of the service, on Linux and macOS. */

import { homedir } from "node:os";
import type { Config } from "../../config/config.ts";
import type { Host } from "../host.ts";

export function findUserHome(host: Host): string {
  // a service that was started without a login has no HOME, but its user has a home
  return host.env["HOME"] || homedir() || "/";
}

/** `--shell`, else bash, else the shell that every system has. */
export function chooseUserShell(host: Host, { shell }: Pick<Config, "shell">): string {
  if (shell !== undefined) return shell;
  return ["/bin/bash", "/usr/bin/bash"].find((path) => host.exists(path)) ?? "/bin/sh";
}
