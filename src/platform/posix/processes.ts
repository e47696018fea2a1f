/** Starts commands on Linux and macOS: each in a session of its own, with one pipe for output and errors. */

import { ServiceError } from "../../core/errors.ts";
import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types/mod.ts";
import { PosixCommand } from "./command.ts";
import { waitForExit } from "./end_of.ts";
import { GroupWatcher } from "./group_watcher.ts";
import type { OpenPipe } from "./pipe.ts";
import type { Priority } from "./priority.ts";
import type { ProcessTable } from "./process_group.ts";
import { startScript, toOperand } from "./start_script.ts";

export interface PosixOptions {
  readonly home: string;
  /** The shell that runs commands: `/bin/bash`. */
  readonly shell: string;
  /** Asked for each command, because display 1 may be found later; the same object for the same variables. */
  readonly env: () => Readonly<Record<string, string>>;
  /** The program `setsid`, where there is one. */
  readonly setsid: string | undefined;
  /** The program `env`, for variables that no shell can hold. */
  readonly envProgram?: string | undefined;
  readonly table: ProcessTable | undefined;
  /** What commands give way by. */
  readonly priority?: Priority | undefined;
  /** Opens the input of a child a second time. */
  readonly openPipe: OpenPipe;
  /** Makes shells ahead of time; needs `setsid`. */
  readonly openSpare?: (options: SpareOptions) => SpareShells;
}

export interface SpareOptions {
  /** Starts a shell that reads its script from its input. */
  readonly start: () => Deno.ChildProcess;
  /** Called for a spare that becomes no command. */
  readonly onDiscard: (pid: number) => void;
  readonly home: string;
}

/** A shell that is started ahead of time. */
export interface SpareShells {
  /**
   * Lets the spare become `program`, whose errors go where its output goes and whose input is empty,
   * and starts the next one. Returns `undefined` when there is no spare for it yet.
   */
  become(program: readonly string[], env: object): Deno.ChildProcess | undefined;
  /** Ends the spare for good. */
  stop(): Promise<void>;
}

export class PosixProcesses implements Processes {
  readonly home: string;
  readonly #watcher: GroupWatcher;
  readonly #spare: SpareShells | undefined;

  constructor(private readonly options: PosixOptions) {
    this.home = options.home;
    this.#watcher = new GroupWatcher(options.env()["PATH"] ?? "/usr/bin:/bin", options.openPipe);
    // Without the program a start copies our whole memory map, ahead of time or not.
    this.#spare = options.setsid === undefined ? undefined : options.openSpare?.({
      home: options.home,
      start: () => this.#spawnSpare(),
      onDiscard: (pid) => this.#letGo(pid),
    });
  }

  start(line: CommandLine): Command {
    this.#watcher.ready();
    const child = this.#fromSpare(line) ?? this.#spawnCommand(line);
    const { table, openPipe } = this.options;
    const onClose = () => this.#letGo(child.pid);
    try {
      this.#watcher.add(child.pid); // ahead of the line that lets one with input begin
      return new PosixCommand(child, { table, input: line.input, onClose, openPipe });
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
    this.options.priority?.[Symbol.dispose]();
    await this.#watcher[Symbol.asyncDispose]();
  }

  #letGo(pid: number): void {
    this.#watcher.remove(pid);
    this.options.priority?.forget(pid);
  }

  /** The short way, for a command that has nothing special. */
  #fromSpare({ command, cwd, env, input }: CommandLine): Deno.ChildProcess | undefined {
    if (cwd !== undefined || env !== undefined || input) return undefined;
    const { shell } = this.options;
    return this.#spare?.become([shell, "-c", toOperand(command)], this.options.env());
  }

  #spawnCommand({ command, cwd = this.home, env = {}, input }: CommandLine): Deno.ChildProcess {
    checkFolder(cwd);
    const { shell, envProgram } = this.options;
    const script = startScript({ door: this.#watcher.door, input });
    const program = [...oddVariables(env, envProgram), shell, "-c", toOperand(command)];
    return this.#spawn([...script, ...program], { cwd, env, stdin: input ? "piped" : "null" });
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
      const child = new Deno.Command(setsid ?? "/bin/sh", {
        args: setsid === undefined ? [...args] : ["/bin/sh", ...args],
        cwd,
        clearEnv: true,
        env: { ...this.options.env(), ...env },
        ...{ stdin, stdout: "piped", stderr: "null" },
        detached: setsid === undefined,
      }).spawn();
      this.options.priority?.lower(child.pid);
      return child;
    } catch (error) {
      throw startFailure(error, cwd);
    }
  }
}

/** Ends what was just started, and lets go of it. */
function abandon(child: Deno.ChildProcess, { input }: CommandLine): void {
  waitForExit(child);
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

/** Variables that `sh` would not pass on, because no variable of its own can have such a name. */
function oddVariables(
  env: Readonly<Record<string, string>>,
  program = "/usr/bin/env",
): readonly string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return odd.length === 0 ? [] : [program, "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}
