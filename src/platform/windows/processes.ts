/** Commands on Windows: run by `cmd`, each in a job that ends with the service. */

import { homedir } from "node:os";
import { win32 as paths } from "node:path";
import type { Config } from "../../config/config.ts";
import { commandEnvironment } from "../command_environment.ts";
import type { Host } from "../host.ts";
import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types/mod.ts";
import { WindowsCommand } from "./command.ts";
import { environmentBlock, findVariable } from "./environment_block.ts";
import { checkShellFolder, programLine, shellLine } from "./shell_line.ts";
import { openWin32, type Win32 } from "./win32.ts";

export function openWindowsProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token">,
): Processes {
  const win32 = openWin32();
  const systemFolder = paths.join(
    findVariable(host.env, "SystemRoot") ?? "C:\\Windows",
    "System32",
  );
  const options = {
    env: commandEnvironment(host.env, { token: config.token }),
    home: findVariable(host.env, "USERPROFILE") || homedir(),
    shell: chooseShell(host, config.shell) ?? paths.join(systemFolder, "cmd.exe"),
    systemFolder,
  };
  return {
    home: options.home,
    opener: [paths.join(systemFolder, "rundll32.exe"), "url.dll,FileProtocolHandler"],
    start: (line) => start(win32, line, options),
    [Symbol.asyncDispose]: () => win32[Symbol.asyncDispose](),
  };
}

interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly shell: string;
  readonly systemFolder: string;
}

/**
 * The requested shell, by its full path if found, so that Windows does not search the caller's
 * folder for it.
 */
function chooseShell(host: Host, asked: string | undefined): string | undefined {
  if (asked === undefined) return findVariable(host.env, "ComSpec");
  return host.which(asked.replace(/\.exe$/i, "")) ?? asked;
}

function start(win32: Win32, command: CommandLine, options: StartOptions): Command {
  const folder = command.cwd ?? options.home;
  const { program } = command;
  const line = program === undefined ? shellLine(command.command, options) : programLine(program);
  const environment = environmentBlock({ ...options.env, ...command.env });
  if (program === undefined) checkShellFolder(folder, options.shell);
  checkFolder(folder);
  try {
    return new WindowsCommand(win32, { line, folder, environment, input: command.input });
  } catch (error) {
    throw startFailure(error, folder);
  }
}
