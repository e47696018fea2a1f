/** Commands on macOS: process groups as on Linux, without a table of who is in them. */

import type { Config } from "../../config.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { PosixProcesses } from "../posix/processes.ts";
import { homeOf, shellOf } from "../posix/user.ts";
import type { Processes } from "../types.ts";

export function openMacosProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token">,
): Processes {
  const env = commandEnvironment(host.env, { token: config.token });
  return new PosixProcesses({
    home: homeOf(host),
    shell: shellOf(host, config),
    env: () => env,
    setsid: undefined,
    table: undefined,
  });
}
