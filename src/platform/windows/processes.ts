/** Commands on Windows: `cmd` in a process tree that `taskkill` ends. */

import { homedir } from "node:os";
import type { Config } from "../../config.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types.ts";
import { WindowsCommand } from "./command.ts";
import { shellLine } from "./shell_line.ts";

export function openWindowsProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token">,
): Processes {
  const env = commandEnvironment(host.env, { token: config.token });
  const home = host.env["USERPROFILE"] || homedir();
  const shell = config.shell ?? host.env["ComSpec"] ?? "cmd";
  return {
    home,
    start: (line) => start(line, { env, home, shell }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly shell: string;
}

function start(line: CommandLine, { env, home, shell }: StartOptions): Command {
  const { program, args } = shellLine(shell, line.command);
  const cwd = line.cwd ?? home;
  checkFolder(cwd);
  try {
    const child = new Deno.Command(program, {
      args: [...args],
      windowsRawArguments: true,
      cwd,
      clearEnv: true,
      env: { ...env, ...line.env },
      ...{ stdin: line.input ? "piped" : "null", stdout: "piped", stderr: "piped" },
    }).spawn();
    return new WindowsCommand(child, line);
  } catch (error) {
    throw startFailure(error, cwd);
  }
}
