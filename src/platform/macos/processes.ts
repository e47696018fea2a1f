/**
 * Commands on macOS: process groups as on Linux, but without a process table to list their members.
 */

import type { Config } from "../../config/config.ts";
import type { Limits } from "../../config/limits.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { NicePriority } from "../posix/priority.ts";
import { PosixProcesses } from "../posix/processes.ts";
import { chooseUserShell, findUserHome } from "../posix/user.ts";
import type { Processes } from "../types/mod.ts";

export function openMacosProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token"> & { readonly limits: Pick<Limits, "commandNice"> },
): Processes {
  const env = commandEnvironment(host.env, { token: config.token });
  return new PosixProcesses({
    home: findUserHome(host),
    opener: ["open"],
    shell: chooseUserShell(host, config),
    env: () => env,
    setsid: undefined,
    table: undefined,
    openPipe: () => undefined,
    priority: new NicePriority(config.limits.commandNice),
  });
}
