/**
 * Commands on Linux: `setsid` gives each its own session, and `/proc` shows which of its processes
 * are alive.
 */

import {
  openLibc,
  PIPE_SYMBOLS,
  type PipeLibrary,
  POLLERR,
  WRITE_FLAGS,
} from "../../../../ffi/linux/libc.ts";
import { POLLFD } from "../../../../ffi/linux/sockets.ts";
import type { Config } from "../../../config/config.ts";
import type { Limits } from "../../../config/limits.ts";
import { tryTo } from "../../../core/errors.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import { quoteForShell } from "../../../core/texts.ts";
import { commandEnvironment } from "../../environment.ts";
import type { Host } from "../../host.ts";
import type { Member, Pipe, ProcessTable } from "../../posix/group_watcher.ts";
import { NicePriority, waitForExit } from "../../posix/opened_program.ts";
import { PosixProcesses, type SpareOptions, type SpareShells } from "../../posix/processes.ts";
import { chooseUserShell, findUserHome, killChild } from "../../posix/process_table.ts";
import type { Processes } from "../../types/mod.ts";
import { parseStat, readParent, readProcesses, readStat } from "./process_identity.ts";

interface LinuxProcessesOptions {
  /** The name of display 1, once it is bound. */
  readonly display: () => string | undefined;
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

// Finds the living processes of a session in `/proc`.

/** One pass over `/proc` serves all callers that ask before it starts. */
export class ProcTable implements ProcessTable {
  readonly #scans = new SharedRun(() => readProcesses(readProcess));

  async listMembers(session: number): Promise<readonly Member[]> {
    const all = await this.#scans.run();
    return all.filter((found) => found.session === session);
  }

  async isAlive({ pid, session, startedAt }: Member): Promise<boolean> {
    const found = await readProcess(String(pid));
    return found?.startedAt === startedAt && found.session === session;
  }
}

/** The process if it is alive; a zombie is not. */
async function readProcess(pid: string): Promise<Member | undefined> {
  const reading = Deno.readTextFile(`/proc/${pid}/stat`).then(parseStat);
  const stat = await reading.catch(() => undefined); // it ended meanwhile
  return stat === undefined || stat.hasEnded ? undefined : { pid: Number(pid), ...stat };
}

// Lowers the priority of sessions. With autogroups (sched(7)) Linux divides the processor
// among sessions first, so the `nice` of a process has no effect beyond its own session, and each
// command is a session.

/** By then a short command has ended, and any other has created its session. */
const FIRST_RETRY_DELAY_MS = 30;
/** The kernel accepts only one change per tenth of a second from an unprivileged process. */
const RETRY_INTERVAL_MS = 110;

type PriorityResult = "done" | "not yet" | "too often";

class SessionPriority extends NicePriority {
  readonly #waiting = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  override lower(pid: number): void {
    if (this.nice === 0) return;
    super.lower(pid);
    this.#waiting.add(pid);
    this.#timer ??= setTimeout(() => this.#retryAll(), FIRST_RETRY_DELAY_MS);
  }

  override forget(pid: number): void {
    if (this.#waiting.delete(pid) && this.#waiting.size === 0) this[Symbol.dispose]();
  }

  override [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #retryAll(): void {
    this.#timer = undefined;
    for (const pid of this.#waiting) {
      const outcome = this.#lowerSession(pid);
      if (outcome === "too often") break;
      if (outcome === "done") this.#waiting.delete(pid);
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#retryAll(), RETRY_INTERVAL_MS);
  }

  #lowerSession(pid: number): PriorityResult {
    const file = `/proc/${pid}/autogroup`;
    try {
      if (readParent(pid) !== Deno.pid) return "done"; // it has ended, and its id was reused
      if (this.#readAutogroup(pid) === this.#readAutogroup(Deno.pid)) return "not yet"; // still in our group
      Deno.writeTextFileSync(file, String(this.nice), { create: false });
      return "done";
    } catch (error) {
      return (error as { code?: string }).code === "EAGAIN" ? "too often" : "done";
    }
  }

  /** The name of the autogroup in `/autogroup-123 nice 0`. */
  #readAutogroup(pid: number): string {
    return Deno.readTextFileSync(`/proc/${pid}/autogroup`).split(" ")[0]!;
  }
}

// A shell that is started in advance, so that a plain command does not wait for one to start.

/** The pipe accepts a script of this size in a single atomic write. */
const MAX_SCRIPT_BYTES = 4_096;

const encoder = new TextEncoder();

interface Spare {
  readonly child: Deno.ChildProcess;
  /**
   * Its environment and folder at the start: for another environment or folder it cannot be used.
   */
  readonly env: object;
  readonly folder: string;
}

export class SpareShell implements SpareShells {
  #spare: Spare | undefined;
  #stopped = false;

  constructor(private readonly options: SpareOptions) {}

  become(program: readonly string[], env: object): Deno.ChildProcess | undefined {
    if (this.#stopped) return undefined;
    const script = encoder.encode(`exec ${program.map(quoteForShell).join(" ")} </dev/null 2>&1\n`);
    if (script.length > MAX_SCRIPT_BYTES) return undefined;
    const child = this.#handOver(script, env);
    if (child === undefined) this.discard();
    this.#spare = undefined;
    this.#prepare(env);
    return child;
  }

  /** Ends the spare shell. */
  discard(): void {
    if (this.#spare === undefined) return;
    const { child } = this.#spare;
    this.#spare = undefined;
    child.stdin.close().catch(() => {});
    child.stdout.cancel().catch(() => {});
    killChild(child); // a stopped shell would not notice the end of its input
    this.options.onDiscard(child.pid);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const ended = this.#spare && waitForExit(this.#spare.child);
    this.discard();
    await ended;
  }

  /** The spare, if it fits, is alive and has received the script. */
  #handOver(script: Uint8Array<ArrayBuffer>, env: object): Deno.ChildProcess | undefined {
    if (this.#spare === undefined || this.#spare.env !== env) return undefined;
    const { child, folder } = this.#spare;
    if (!isReading(child.pid) || readFolderIdentity(this.options.home) !== folder) return undefined;
    if (!send(child.pid, script)) return undefined;
    child.stdin.close().catch(() => {});
    return child;
  }

  #prepare(env: object): void {
    const folder = readFolderIdentity(this.options.home);
    if (folder === undefined) return;
    const child = tryTo(() => this.options.start());
    if (child === undefined) return; // the next command then starts without a spare and reports the cause
    this.#spare = { child, env, folder };
    waitForExit(child).then(() => {
      if (this.#spare?.child === child) this.discard(); // it was killed from outside
    });
  }
}

/** Writes the script synchronously; `false` when the shell is dead. */
function send(pid: number, script: Uint8Array<ArrayBuffer>): boolean {
  const pipe = openInputPipe(pid);
  if (pipe === undefined) return false;
  try {
    return pipe.write(script) === script.length;
  } catch {
    return false;
  } finally {
    pipe.close();
  }
}

/** Whether the process is neither dead nor stopped. */
function isReading(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && !"ZXTt".includes(stat.state);
}

/** Distinguishes a folder from a later one at the same path. */
function readFolderIdentity(folder: string): string | undefined {
  const info = tryTo(() => Deno.statSync(folder));
  return info && `${info.dev}:${info.ino}`;
}

// Opens a process's standard input pipe a second time, through `/proc`. The process must not
// redirect its input meanwhile, not even for a single command of a shell: `/proc` would then lead
// to another file.

let library: PipeLibrary | undefined;

/** `undefined` when there is no `/proc` or no such process. */
export function openInputPipe(pid: number): Pipe | undefined {
  library ??= tryTo(() => openLibc(PIPE_SYMBOLS));
  if (library === undefined) return undefined;
  const path = new TextEncoder().encode(`/proc/${pid}/fd/0\0`);
  const pipe = library.symbols.open(path, WRITE_FLAGS);
  return pipe < 0 ? undefined : new InputPipe(pipe, library.symbols);
}

class InputPipe implements Pipe {
  #open = true;

  constructor(private readonly pipe: number, private readonly c: PipeLibrary["symbols"]) {}

  write(bytes: Uint8Array<ArrayBuffer>): number {
    if (!this.#open) throw new Error("The pipe is closed");
    const written = Number(this.c.write(this.pipe, bytes, BigInt(bytes.length)));
    if (written >= 0) return written;
    if (this.#isBroken()) throw new Error("The pipe has no reader");
    return 0;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.c.close(this.pipe);
  }

  #isBroken(): boolean {
    const poll = new DataView(new ArrayBuffer(POLLFD.bytes));
    poll.setInt32(POLLFD.fd, this.pipe, true);
    const count = this.c.poll(new Uint8Array(poll.buffer), 1n, 0);
    return count > 0 && (poll.getInt16(POLLFD.revents, true) & POLLERR) !== 0;
  }
}
