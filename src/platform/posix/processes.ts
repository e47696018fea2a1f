/** Starts commands on Linux and macOS: each in a session of its own, with one pipe for output and errors. */

import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types.ts";
import { PosixCommand } from "./command.ts";
import { GroupWatcher } from "./group_watcher.ts";
import type { ProcessTable } from "./process_group.ts";
import { SpareShell } from "./spare_shell.ts";

export interface PosixOptions {
  readonly home: string;
  /** The shell that runs commands: `/bin/bash`. */
  readonly shell: string;
  /** Asked for each command, because display 1 may be found later; the same object for the same variables. */
  readonly env: () => Readonly<Record<string, string>>;
  /** The program `setsid`, where there is one. */
  readonly setsid: string | undefined;
  readonly table: ProcessTable | undefined;
}

/** Joins errors to the output and becomes the program that follows, so that the number stays. */
const MERGED = ["-c", 'exec "$@" 2>&1', "sh"];

export class PosixProcesses implements Processes {
  readonly home: string;
  readonly #watcher: GroupWatcher;
  readonly #spare: SpareShell | undefined;

  constructor(private readonly options: PosixOptions) {
    this.home = options.home;
    this.#watcher = new GroupWatcher(options.env()["PATH"] ?? "/usr/bin:/bin");
    // Without the program a start copies our whole memory map, ahead of time or not.
    this.#spare = options.setsid === undefined
      ? undefined
      : new SpareShell(() => this.#spawnSpare());
  }

  start(line: CommandLine): Command {
    const child = this.#fromSpare(line) ?? this.#spawnCommand(line);
    this.#watcher.add(child.pid);
    return new PosixCommand(child, {
      table: this.options.table,
      input: line.input,
      onClose: () => this.#watcher.remove(child.pid),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spare?.stop();
    await this.#watcher[Symbol.asyncDispose]();
  }

  /** The short way, for a command that has nothing special. */
  #fromSpare({ command, cwd, env, input }: CommandLine): Deno.ChildProcess | undefined {
    if (cwd !== undefined || env !== undefined || input) return undefined;
    const { shell } = this.options;
    return this.#spare?.become([shell, "-c", command], this.options.env());
  }

  #spawnCommand({ command, cwd = this.home, env = {}, input }: CommandLine): Deno.ChildProcess {
    checkFolder(cwd);
    const args = [...MERGED, ...oddVariables(env), this.options.shell, "-c", command];
    return this.#spawn(args, { cwd, env, stdin: input ? "piped" : "null" });
  }

  #spawnSpare(): Deno.ChildProcess {
    return this.#spawn(["-s"], { cwd: this.home, env: {}, stdin: "piped" });
  }

  #spawn(
    args: readonly string[],
    { cwd, env, stdin }: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: "piped" | "null";
    },
  ): Deno.ChildProcess {
    const { setsid } = this.options;
    try {
      return new Deno.Command(setsid ?? "/bin/sh", {
        args: setsid === undefined ? [...args] : ["/bin/sh", ...args],
        cwd,
        clearEnv: true,
        env: { ...this.options.env(), ...env },
        ...{ stdin, stdout: "piped", stderr: "null" },
        detached: setsid === undefined,
      }).spawn();
    } catch (error) {
      throw startFailure(error, cwd);
    }
  }
}

/** Variables that `sh` would not pass on, because no variable of its own can have such a name. */
function oddVariables(env: Readonly<Record<string, string>>): readonly string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return odd.length === 0 ? [] : ["env", "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}
