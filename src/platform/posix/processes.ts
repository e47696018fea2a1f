/**
 * Starts commands on Linux and macOS: each in its own session, with one pipe for output and errors.
 */

import { ServiceError } from "../../core/errors.ts";
import { checkFolder, startFailure } from "../start_failure.ts";
import type { Command, CommandLine, Processes } from "../types/mod.ts";
import { PosixCommand } from "./command.ts";
import { waitForExit } from "./wait_for_exit.ts";
import { GroupWatcher } from "./group_watcher.ts";
import type { OpenPipe } from "./pipe.ts";
import type { Priority } from "./priority.ts";
import type { ProcessTable } from "./process_group.ts";
import { startScript, toOperand } from "./start_script.ts";

export interface PosixOptions {
  readonly home: string;
  /** `xdg-open` by default. */
  readonly opener?: readonly string[];
  /** The shell that runs commands: `/bin/bash`. */
  readonly shell: string;
  /**
   * Called for each command, because display 1 may be found later; returns the same object for the
   * same variables.
   */
  readonly env: () => Readonly<Record<string, string>>;
  /** The path of `setsid`, if installed. */
  readonly setsid: string | undefined;
  /** The path of `env`, which sets variables whose names no shell accepts. */
  readonly envProgram?: string | undefined;
  readonly table: ProcessTable | undefined;
  /** Lowers the priority of commands. */
  readonly priority?: Priority | undefined;
  /** Opens the input of a child a second time. */
  readonly openPipe: OpenPipe;
  /** Starts shells ahead of time; needs `setsid`. */
  readonly openSpare?: (options: SpareOptions) => SpareShells;
}

export interface SpareOptions {
  /** Starts a shell that reads its script from its input. */
  readonly start: () => Deno.ChildProcess;
  /** Called for a spare shell that is discarded. */
  readonly onDiscard: (pid: number) => void;
  readonly home: string;
}

/** A shell that is started ahead of time. */
export interface SpareShells {
  /**
   * Makes the spare execute `program`, with its errors merged into its output and an empty input,
   * and starts the next spare. Returns `undefined` when no spare is ready.
   */
  become(program: readonly string[], env: object): Deno.ChildProcess | undefined;
  /** Ends the spare for good. */
  stop(): Promise<void>;
}

export class PosixProcesses implements Processes {
  readonly home: string;
  readonly opener: readonly string[];
  readonly #watcher: GroupWatcher;
  readonly #spare: SpareShells | undefined;

  constructor(private readonly options: PosixOptions) {
    this.home = options.home;
    this.opener = options.opener ?? ["xdg-open"];
    this.#watcher = new GroupWatcher(options.env()["PATH"] ?? "/usr/bin:/bin", options.openPipe);
    // Without `setsid` each start copies our whole memory map, so a spare would gain nothing.
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
      this.#watcher.add(child.pid); // before the line that starts a command with input
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

  /** The fast path, for a command without special requirements. */
  #fromSpare({ cwd, env, input, ...line }: CommandLine): Deno.ChildProcess | undefined {
    if (cwd !== undefined || env !== undefined || input) return undefined;
    return this.#spare?.become(this.#wordsOf(line), this.options.env());
  }

  #wordsOf({ command, program }: Pick<CommandLine, "command" | "program">): readonly string[] {
    return program ?? [this.options.shell, "-c", toOperand(command)];
  }

  #spawnCommand({ cwd = this.home, env = {}, input, ...line }: CommandLine): Deno.ChildProcess {
    checkFolder(cwd);
    const { envProgram } = this.options;
    const script = startScript({ door: this.#watcher.door, input });
    const program = [...oddVariables(env, envProgram), ...this.#wordsOf(line)];
    return this.#spawn([...script, ...program], { cwd, env, stdin: input ? "piped" : "null" });
  }

  #spawnSpare(): Deno.ChildProcess {
    const child = this.#spawn(["-s"], { cwd: this.home, env: {}, stdin: "piped" });
    this.#watcher.add(child.pid); // before it becomes a command
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

/** Kills the process that was just started, and closes its pipes. */
function abandon(child: Deno.ChildProcess, { input }: CommandLine): void {
  waitForExit(child);
  for (const target of [-child.pid, child.pid]) {
    try {
      Deno.kill(target, "SIGKILL");
    } catch {
      // it has ended, or its group does not exist yet
    }
  }
  if (input) child.stdin.abort().catch(() => {});
  child.stdout.cancel().catch(() => {});
}

/** Variables that `sh` drops, because their names are not valid shell names. */
function oddVariables(
  env: Readonly<Record<string, string>>,
  program = "/usr/bin/env",
): readonly string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  return odd.length === 0 ? [] : [program, "--", ...odd.map(([name, value]) => `${name}=${value}`)];
}
