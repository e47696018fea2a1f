/**
 * A helper process that kills the process groups of all commands when the service itself is killed.
 */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { spawnInSession } from "../helper_program.ts";
import { waitForExit } from "./opened_program.ts";
import { killChild, sendSignal, type Sent } from "./process_table.ts";

/**
 * First and longest pause before a watcher that died is restarted; the first restart is immediate.
 */
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 10_000;

/**
 * The standard input of the watcher is a pipe whose write end only the service holds: the system
 * closes it when the service ends, even by SIGKILL. Until then the service reports each group to
 * it.
 */
interface Watcher {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  /** The same pipe, for writes without waiting; missing on systems without `/proc`. */
  readonly pipe: Pipe | undefined;
  readonly startedAt: number;
}

const encoder = new TextEncoder();

export class GroupWatcher implements AsyncDisposable {
  readonly #groups = new Set<number>();
  #watcher: Watcher | undefined;
  #pauseMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly path: string, private readonly openPipe: OpenPipe) {}

  /**
   * Starts the watcher unless it runs. Call it before a group is created.
   * @throws ServiceError `unavailable` when the watcher cannot be started.
   */
  ready(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#start();
    } catch (cause) {
      const reason = (cause as Error).message;
      const text = `Cannot start a command now: its watcher did not start: ${reason}`;
      throw new ServiceError("unavailable", text, { cause });
    }
  }

  /**
   * The path to which a process that is about to become a command writes `add PID` itself. It is
   * the watcher's own end of the pipe, because no other process may access the descriptors of the
   * service.
   */
  get registrationPath(): string | undefined {
    if (this.#watcher?.pipe === undefined) return undefined;
    return `/proc/${this.#watcher.child.pid}/fd/0`;
  }

  add(pid: number): void {
    this.#groups.add(pid);
    if (this.#watcher !== undefined) sendLine(this.#watcher, `add ${pid}\n`);
  }

  remove(pid: number): void {
    this.#groups.delete(pid);
    if (this.#watcher !== undefined) sendLine(this.#watcher, `remove ${pid}\n`);
  }

  /** Ends the watcher, which kills the remaining groups. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    const watcher = this.#watcher;
    this.#watcher = undefined;
    if (watcher === undefined) return;
    release(watcher);
    await waitForExit(watcher.child);
  }

  #start(): void {
    clearTimeout(this.#timer);
    const command = ["/bin/sh", "-c", WATCHER_SCRIPT, "computer-control-watcher"] as const;
    const child = spawnInSession(command, {
      cwd: "/",
      clearEnv: true,
      env: { PATH: this.path },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    });
    const watcher = {
      child,
      input: child.stdin.getWriter(),
      pipe: this.openPipe(child.pid),
      startedAt: performance.now(),
    };
    this.#watcher = watcher;
    waitForExit(child).then(() => this.#ended(watcher));
    for (const pid of this.#groups) sendLine(watcher, `add ${pid}\n`);
  }

  #ended(watcher: Watcher): void {
    if (this.#watcher !== watcher) return;
    this.#watcher = undefined;
    release(watcher);
    if (performance.now() - watcher.startedAt > MAX_BACKOFF_MS) this.#pauseMs = 0;
    this.#startAgain();
  }

  #startAgain(): void {
    if (this.#groups.size === 0) return; // the next command restarts it
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(Math.max(FIRST_BACKOFF_MS, pause * 2), MAX_BACKOFF_MS);
    this.#timer = setTimeout(() => {
      try {
        this.ready();
      } catch {
        this.#startAgain();
      }
    }, pause);
  }
}

function sendLine({ child, input, pipe }: Watcher, line: string): void {
  if (pipe === undefined) {
    input.write(encoder.encode(line)).catch(() => {}); // its status reports its end
    return;
  }
  const bytes = encoder.encode(line);
  try {
    if (pipe.write(bytes) === bytes.length) return;
  } catch {
    // it has ended: killed below, and restarted
  }
  killChild(child); // dead, or it does not read: all groups are reported to the next watcher
}

function release({ input, pipe }: Watcher): void {
  pipe?.close();
  input.close().catch(() => {});
}

// The script of the group watcher, for any POSIX shell.

/**
 * Reads `add GROUP` and `remove GROUP` until its input closes, which means that the service has
 * ended. Then it kills the remaining groups and, on systems with `/proc`, the other groups of their
 * sessions. For the first second it keeps polling even when it finds none: a command may be
 * starting.
 */
const WATCHER_SCRIPT = `
set -f
groups=" " asked=" "

# Whether $1 can be a group of ours.
is_group() {
  case $1 in "" | *[!0-9]*) return 1 ;; esac
  [ "$1" -gt 1 ]
}

while read -r change pid; do
  is_group "$pid" || continue
  case $change$groups in
    add*" $pid "*) ;;
    add*) groups="$groups$pid " ;;
    remove*" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
exec </dev/null # closes the door: what comes too late finds none

# Sends $1 to the group $2, but TERM only once.
signal_group() {
  if [ "$1" = TERM ]; then
    case $asked in *" $2 "*) kill -s 0 -- "-$2" 2>/dev/null; return ;; esac
    asked="$asked$2 "
  fi
  kill -s "$1" -- "-$2" 2>/dev/null || return
  if [ "$1" = TERM ]; then kill -s CONT -- "-$2" 2>/dev/null; fi
  return 0
}

# Sends $1 to every group that has a living process; fails when there is none.
signal_all() {
  signal=$1 found=1
  if [ -r /proc/self/stat ]; then
    set +f
    set -- /proc/[0-9]*/stat
    set -f
    for stat; do
      text=
      { while read -r line; do text="$text $line"; done <"$stat"; } 2>/dev/null || continue
      set -- \${text##*)} # the name before it may hold anything, a line break too
      [ $# -gt 4 ] && is_group "$3" && is_group "$4" || continue
      case $groups in *" $4 "*) ;; *) continue ;; esac
      [ "$1" = Z ] && continue
      signal_group "$signal" "$3"
      found=0
    done
  else
    for group in $groups; do
      signal_group "$signal" "$group" && found=0
    done
  fi
  return $found
}

[ "$groups" = " " ] && exit
look=0
while [ $look -lt 30 ]; do
  signal_all TERM || [ $look -lt 10 ] || exit
  sleep 0.1
  look=$((look + 1))
done
while [ $look -lt 80 ]; do
  signal_all KILL || exit
  sleep 0.1
  look=$((look + 1))
done
`;

// The processes that one command started: finds those that still run, and signals only them.

/**
 * A running process of a session; `startedAt` distinguishes it from a later one with the same pid.
 */
export interface Member {
  readonly pid: number;
  /** The process group: a shell with job control gives each job its own. */
  readonly group: number;
  readonly session: number;
  readonly startedAt: string;
}

/** Reads the process table, where the system permits it. */
export interface ProcessTable {
  /** The running processes of a session. */
  listMembers(session: number): Promise<readonly Member[]>;
  /** Whether the process still runs and is still in that session. */
  isAlive(member: Member): Promise<boolean>;
}

/** First and longest interval between checks of a group that outlived its shell. */
const MIN_POLL_INTERVAL_MS = 10;
const MAX_POLL_INTERVAL_MS = 500;

/** In less time than this no pid is reused, made a session and left by its leader again. */
const FRESH_MS = 1_000;

export class ProcessGroup {
  #shellAlive = true;
  #known: readonly Member[] = [];
  /** When the shell or a member was last seen running. */
  #seenAt = 0;
  #pollIntervalMs = MIN_POLL_INTERVAL_MS;
  #pollNow: (() => void) | undefined;

  /** @param shell resolves when the first process of the group has ended */
  constructor(
    readonly pid: number,
    shell: Promise<unknown>,
    private readonly table: ProcessTable | undefined,
  ) {
    shell.then(() => {
      this.#shellAlive = false;
      this.#seenAt = performance.now();
    });
  }

  /**
   * Whether the shell or a member still runs. `outputOpen` means that a process still holds the
   * output pipe, possibly in another group of the session.
   */
  async isAlive({ outputOpen }: { readonly outputOpen: boolean }): Promise<boolean> {
    if (this.#shellAlive) return true;
    const answers = groupAnswers(this.pid);
    if (this.table === undefined) return answers;
    if (!answers && !outputOpen && this.#known.length === 0) return false;
    for (const member of this.#known) if (await this.table.isAlive(member)) return true;
    await this.#poll(this.table);
    return this.#known.length > 0;
  }

  /** Whether a running process is a member; without a process table only the first one is known. */
  async holds(pid: number): Promise<boolean> {
    if (pid === this.pid) return this.#shellAlive;
    if (this.table === undefined) return false;
    return (await this.#poll(this.table)).some((member) => member.pid === pid);
  }

  /**
   * Resolves when all have ended. Polls, at growing intervals, because the system reports an end
   * only to the parent.
   */
  async gone(): Promise<void> {
    while (await this.isAlive({ outputOpen: true })) {
      const woken = Promise.withResolvers<void>();
      this.#pollNow = woken.resolve;
      await within(woken.promise, this.#pollIntervalMs);
      this.#pollIntervalMs = Math.min(this.#pollIntervalMs * 1.5, MAX_POLL_INTERVAL_MS);
    }
  }

  /** Call it when a process may have ended: checks immediately, then at short intervals again. */
  hurry(): void {
    this.#pollIntervalMs = MIN_POLL_INTERVAL_MS;
    this.#pollNow?.();
  }

  /**
   * Signals every running member.
   * @throws ServiceError `permission_denied`: all of them belong to another user.
   */
  async signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const groups = await this.#livingGroups();
    const sent = groups.map((group) => this.#signalGroup(group, signal));
    this.hurry();
    if (sent.length === 0 || sent.some((each) => each !== "refused")) return;
    throw new ServiceError(
      "permission_denied",
      `Cannot end process ${this.pid}: it belongs to another user`,
    );
  }

  async #livingGroups(): Promise<readonly number[]> {
    const members = this.table === undefined ? [] : await this.#poll(this.table);
    const groups = new Set(members.map((member) => member.group));
    const ownLives = this.#shellAlive || (this.table === undefined && groupAnswers(this.pid));
    if (ownLives) groups.add(this.pid);
    return [...groups];
  }

  /** The members; empty when the number may since belong to an unrelated session. */
  async #poll(table: ProcessTable): Promise<readonly Member[]> {
    const members = await table.listMembers(this.pid);
    if (members.length > 0 && !this.#areOurs(members)) return this.#known = [];
    this.#seenAt = performance.now();
    return this.#known = members;
  }

  #areOurs(members: readonly Member[]): boolean {
    if (this.#shellAlive) return true;
    // an unrelated process leads it
    if (members.some((member) => member.pid === this.pid)) return false;
    if (performance.now() - this.#seenAt < FRESH_MS) return true;
    return members.some((member) => this.#known.some((known) => isSame(member, known)));
  }

  #signalGroup(group: number, signal: Deno.Signal): Sent {
    const sent = sendSignal(-group, signal);
    // a stopped process handles it only once it continues
    if (sent === "sent" && signal === "SIGTERM") sendSignal(-group, "SIGCONT");
    if (sent !== "nobody" || group !== this.pid || !this.#shellAlive) return sent;
    // A shell that has only just started may not yet be in the group that it creates.
    return sendSignal(this.pid, signal);
  }
}

function isSame(one: Member, other: Member): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt;
}

/** Whether the group contains any process, even a zombie. */
function groupAnswers(group: number): boolean {
  return sendSignal(-group, 0) !== "nobody";
}

// The input pipe of a process, opened a second time for non-blocking writes where possible.

export interface Pipe {
  /**
   * Writes as many bytes as fit and returns their number.
   * @throws Error when no process reads the pipe.
   */
  write(bytes: Uint8Array<ArrayBuffer>): number;
  close(): void;
}

/** `undefined` when the input of the process cannot be opened. */
export type OpenPipe = (pid: number) => Pipe | undefined;
