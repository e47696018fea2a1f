/** Starts commands on Linux and macOS: each in a session of its own, with one pipe for output and errors. */

import { ServiceError } from "../../errors.ts";
import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types.ts";
import { PosixCommand } from "./command.ts";
import { endOf } from "./end_of.ts";
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
const MERGED = 'exec "$@" 2>&1';

/**
 * Tells the watcher first, through the door that is the script's name, so that no moment is left in
 * which the service could be killed and the command not; starts nothing when the service is dead.
 */
const REGISTERED = `echo "add $$" 1<>"$0" || {
  read -r stat <"\${0%/fd/*}/stat" && case $stat in *") Z "*) false ;; esac
} || exit
${MERGED}`;

export class PosixProcesses implements Processes {
  readonly home: string;
  readonly #watcher: GroupWatcher;
  readonly #spare: SpareShell | undefined;

  constructor(private readonly options: PosixOptions) {
    this.home = options.home;
    this.#watcher = new GroupWatcher(options.env()["PATH"] ?? "/usr/bin:/bin");
    // Without the program a start copies our whole memory map, ahead of time or not.
    this.#spare = options.setsid === undefined ? undefined : new SpareShell({
      home: options.home,
      start: () => this.#spawnSpare(),
      onDiscard: (pid) => this.#watcher.remove(pid),
    });
  }

  start(line: CommandLine): Command {
    this.#watcher.ready();
    const child = this.#fromSpare(line) ?? this.#spawnCommand(line);
    const onClose = () => this.#watcher.remove(child.pid);
    try {
      this.#watcher.add(child.pid);
      return new PosixCommand(child, { table: this.options.table, input: line.input, onClose });
    } catch (cause) {
      onClose();
      abandon(child, line);
      throw new ServiceError("unavailable", "Cannot follow the command that was started", {
        cause,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spare?.stop();
    await this.#watcher[Symbol.asyncDispose]();
  }

  /** The short way, for a command that has nothing special. */
  #fromSpare({ command, cwd, env, input }: CommandLine): Deno.ChildProcess | undefined {
    if (cwd !== undefined || env !== undefined || input) return undefined;
    const { shell } = this.options;
    return this.#spare?.become([shell, "-c", ...operand(command)], this.options.env());
  }

  #spawnCommand({ command, cwd = this.home, env = {}, input }: CommandLine): Deno.ChildProcess {
    checkFolder(cwd);
    const { door } = this.#watcher;
    const script = door === undefined ? ["-c", MERGED, "sh"] : ["-c", REGISTERED, door];
    const program = [...oddVariables(env), this.options.shell, "-c", ...operand(command)];
    const args = [...script, ...program];
    return this.#spawn(args, { cwd, env, stdin: input ? "piped" : "null" });
  }

  #spawnSpare(): Deno.ChildProcess {
    const child = this.#spawn(["-s"], { cwd: this.home, env: {}, stdin: "piped" });
    this.#watcher.add(child.pid); // ahead of the command that it becomes
    return child;
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

/** Ends what was just started, and lets go of it. */
function abandon(child: Deno.ChildProcess, { input }: CommandLine): void {
  endOf(child);
  for (const target of [-child.pid, child.pid]) {
    try {
      Deno.kill(target, "SIGKILL");
    } catch {
      // it has ended, or is not yet in its group
    }
  }
  if (input) child.stdin.abort().catch(() => {});
  child.stdout.cancel().catch(() => {});
}

/** A command that would look like an option is told from one; not every shell knows `--`. */
function operand(command: string): readonly string[] {
  return /^[-+]/.test(command) ? ["--", command] : [command];
}

/** Variables that `sh` would not pass on, because no variable of its own can have such a name. */
function oddVariables(env: Readonly<Record<string, string>>): readonly string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return odd.length === 0 ? [] : ["env", "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}
