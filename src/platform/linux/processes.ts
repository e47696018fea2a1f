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
  /** The X display of display 1, once it is bound. */
  readonly display: () => string | undefined;
}

export function openLinuxProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token"> & { readonly limits: Pick<Limits, "commandNice"> },
  { display }: LinuxProcessesOptions,
): Processes {
  const env = environmentOn(commandEnvironment(host.env, { token: config.token }));
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

/**
 * The environment for an X display; the same object is returned while the display stays the same.
 */
function environmentOn(env: Readonly<Record<string, string>>) {
  let made = { xDisplay: undefined as string | undefined, env };
  return (xDisplay: string | undefined): Readonly<Record<string, string>> => {
    if (xDisplay === undefined) return env;
    if (made.xDisplay !== xDisplay) made = { xDisplay, env: { ...env, DISPLAY: xDisplay } };
    return made.env;
  };
}
