/**
 * Commands on Linux: `setsid` gives each its own session, and `/proc` shows which of its processes
 * are alive.
 */

import type { Config } from "../../config/config.ts";
import type { Limits } from "../../config/limits.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { PosixProcesses } from "../posix/processes.ts";
import { chooseUserShell, findUserHome } from "../posix/user.ts";
import type { Processes } from "../types/mod.ts";
import { openInputPipe } from "./input_pipe.ts";
import { ProcTable } from "./proc_table.ts";
import { SessionPriority } from "./session_priority.ts";
import { SpareShell } from "./spare_shell.ts";

export interface LinuxProcessesOptions {
  /** The name of display 1, once it is bound. */
  readonly display: () => string | undefined;
  /** The variables by which commands find a display. */
  readonly variables?: ((display: string) => Readonly<Record<string, string>>) | undefined;
}

export function openLinuxProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token"> & { readonly limits: Pick<Limits, "commandNice"> },
  { display, variables }: LinuxProcessesOptions,
): Processes {
  const env = environmentOn(commandEnvironment(host.env, { token: config.token }), variables);
  return new PosixProcesses({
    home: findUserHome(host),
    shell: chooseUserShell(host, config),
    env: () => env(display()),
    setsid: host.which("setsid"),
    envProgram: host.which("env"),
    table: new ProcTable(),
    openPipe: openInputPipe,
    openSpare: (options) => new SpareShell(options),
    priority: new SessionPriority(config.limits.commandNice),
  });
}

/** The environment for a display; the same object is returned while the display stays the same. */
function environmentOn(
  env: Readonly<Record<string, string>>,
  variables: LinuxProcessesOptions["variables"] = (display) => ({ DISPLAY: display }),
) {
  let made = { display: undefined as string | undefined, env };
  return (display: string | undefined): Readonly<Record<string, string>> => {
    if (display === undefined) return env;
    if (made.display !== display) {
      made = { display, env: { ...env, ...variables(display) } };
    }
    return made.env;
  };
}
