/**
 * Starts commands on Linux and macOS: each in its own session, with one pipe for output and errors.
 */

import { within } from "../../core/deadline.ts";
import { ServiceError, tryTo } from "../../core/errors.ts";
import { CommandOutput } from "../helper_program.ts";
import { checkFolder, startFailure } from "../capability.ts";
import type { Command, CommandInput, CommandLine, Processes } from "../types/mod.ts";
import {
  GroupWatcher,
  type OpenPipe,
  type Pipe,
  ProcessGroup,
  type ProcessTable,
} from "./group_watcher.ts";
import { type NicePriority, waitForExit } from "./opened_program.ts";
import { sendSignal } from "./process_table.ts";

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
  readonly priority?: Pick<NicePriority, keyof NicePriority> | undefined;
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
  /** Whose a number is: the system may reuse it before the command that had it is closed. */
  readonly #children = new Map<number, Deno.ChildProcess>();

  constructor(private readonly options: PosixOptions) {
    this.home = options.home;
    this.opener = options.opener ?? ["xdg-open"];
    this.#watcher = new GroupWatcher(options.env()["PATH"] ?? "/usr/bin:/bin", options.openPipe);
    // Without `setsid` each start copies our whole memory map, so a spare would gain nothing.
    this.#spare = options.setsid === undefined ? undefined : options.openSpare?.({
      home: options.home,
      start: () => this.#spawnSpare(),
      onDiscard: (pid) => this.#forget(pid),
    });
  }

  start(line: CommandLine): Command {
    this.#watcher.ready();
    const child = this.#fromSpare(line) ?? this.#spawnCommand(line);
    const { table, openPipe } = this.options;
    this.#children.set(child.pid, child);
    const onClose = () => {
      if (this.#children.get(child.pid) === child) this.#forget(child.pid);
    };
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

  #forget(pid: number): void {
    this.#children.delete(pid);
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
    const script = startScript({ registrationPath: this.#watcher.registrationPath, input });
    const program = [...oddVariables(env, envProgram), ...this.#wordsOf(line)];
    return this.#spawn([...script, ...program], { cwd, env, stdin: input ? "piped" : "null" });
  }

  #spawnSpare(): Deno.ChildProcess {
    const child = this.#spawn(["-s"], { cwd: this.home, env: {}, stdin: "piped" });
    this.#children.set(child.pid, child);
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
        stdin,
        stdout: "piped",
        stderr: "null",
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
  // its group may not exist yet
  for (const target of [-child.pid, child.pid]) sendSignal(target, "SIGKILL");
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

// The script that `sh` runs before it becomes the shell of a command.

/**
 * Merges errors into the output and executes the program in place, so that the pid stays the same.
 */
const MERGED = 'exec "$@" 2>&1';

/**
 * Waits for one line before it uses its input, so that the service can open the pipe first. The
 * input is not redirected: the service would then open another file. The service notifies the
 * watcher before it writes the line; if the service ends earlier, the line never comes, so the
 * script needs no check of its own.
 */
const WAIT_FOR_INPUT = "read -r go || exit\n";

/**
 * The arguments of `sh`, before the program and its arguments.
 * @param input whether the command gets input from the service
 */
function startScript(
  { registrationPath, input }: Pick<GroupWatcher, "registrationPath"> & Pick<CommandLine, "input">,
): readonly string[] {
  if (input) return ["-c", WAIT_FOR_INPUT + MERGED, "sh"];
  if (registrationPath === undefined) return ["-c", MERGED, "sh"];
  return ["-c", registerWith(Deno.pid) + MERGED, registrationPath];
}

/**
 * Registers with the watcher first, through the `door`, which is the script's `$0`. That leaves no
 * moment in which the service can be killed and the command survive. Starts nothing when the
 * service is dead. Where `/proc` is mounted with `hidepid`, a private service appears there only as
 * a zombie; `kill -s 0` still shows the same user whether it exists.
 */
function registerWith(service: number): string {
  return `echo "add $$" 1<>"$0"
if read -r stat </proc/${service}/stat; then
  case $stat in *") "[ZX]" "*) exit ;; esac
else
  kill -s 0 ${service} || exit
fi
`;
}

/**
 * Puts a space before a command that looks like an option; not every shell treats `--` as the end
 * of options.
 */
function toOperand(command: string): string {
  return /^[-+]/.test(command) ? ` ${command}` : command;
}

// One command on Linux and macOS: a child process, its output and its group.

interface PosixCommandOptions extends Pick<PosixOptions, "table" | "openPipe"> {
  /** Whether the command has an input that we write to. */
  readonly input: boolean;
  /** Called when the command is released. */
  readonly onClose: () => void;
}

class PosixCommand implements Command {
  readonly pid: number;
  readonly ended: Promise<number>;
  readonly #input: DroppableInput | undefined;
  readonly #output: CommandOutput;
  readonly #group: ProcessGroup;
  readonly #onClose: () => void;

  constructor(child: Deno.ChildProcess, { table, input, onClose, openPipe }: PosixCommandOptions) {
    this.pid = child.pid;
    this.ended = waitForExit(child);
    this.#input = input ? takeInput(child, openPipe) : undefined;
    this.#output = new CommandOutput(child.stdout);
    this.#group = new ProcessGroup(child.pid, this.ended, table);
    this.#onClose = onClose;
  }

  get input(): CommandInput | undefined {
    return this.#input;
  }

  async read(): Promise<Uint8Array | undefined> {
    const bytes = await this.#output.read();
    if (bytes === undefined) this.#group.hurry();
    return bytes;
  }

  isAlive(): Promise<boolean> {
    return this.#group.isAlive({ outputOpen: !this.#output.ended });
  }

  holds(pid: number): Promise<boolean> {
    return this.#group.holds(pid);
  }

  gone(): Promise<void> {
    return this.#group.gone();
  }

  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    return this.#group.signal(signal);
  }

  async close(): Promise<void> {
    this.#onClose();
    this.#input?.drop();
    await this.#output.close();
  }
}

// The input pipe of a child process: written without waiting, and droppable at any time.

/** An input that can be dropped together with its unread bytes. */
interface DroppableInput extends CommandInput {
  drop(): void;
}

/** Bytes written before other work gets a turn. */
const BYTES_PER_WRITE = 2 ** 20;
/**
 * First and longest pause before a full pipe is tried again: the system does not report here that
 * it has room.
 */
const FIRST_BACKOFF_MS = 1;
const MAX_BACKOFF_MS = 100;

/** The empty line that the child waits for before it reads its input. */
const GO = new Uint8Array([10]);

/**
 * Takes over the input of a child that waits for an empty line before it starts. Deno's own stream
 * is used only where the pipe cannot be opened a second time: an unfinished write to the stream
 * cannot be cancelled.
 */
function takeInput(child: Deno.ChildProcess, openPipe: OpenPipe): DroppableInput {
  const pipe = openPipe(child.pid);
  if (pipe === undefined) return new StreamInput(child.stdin);
  child.stdin.close().catch(() => {});
  return new PipeInput(pipe);
}

class PipeInput implements DroppableInput {
  #goOn: (() => void) | undefined;

  constructor(private readonly pipe: Pipe) {
    tryTo(() => pipe.write(GO)); // where it has already ended, its status reports that
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    let pauseMs = FIRST_BACKOFF_MS;
    for (let done = 0;;) {
      const written = this.pipe.write(bytes.subarray(done, done + BYTES_PER_WRITE));
      done += written;
      if (done === bytes.length) return;
      if (written > 0) pauseMs = FIRST_BACKOFF_MS;
      const woken = Promise.withResolvers<void>();
      this.#goOn = woken.resolve;
      await within(woken.promise, pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
    }
  }

  close(): Promise<void> {
    this.drop();
    return Promise.resolve();
  }

  drop(): void {
    this.pipe.close();
    this.#goOn?.();
  }
}

class StreamInput implements DroppableInput {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
    this.write(GO).catch(() => {}); // it has already ended: its status reports that
  }

  write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#writer.write(bytes);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  drop(): void {
    this.#writer.abort().catch(() => {});
  }
}
