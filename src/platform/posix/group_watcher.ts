/** A small process that ends all groups of the service when the service itself is killed. */

import { ServiceError } from "../../core/errors.ts";
import { waitForExit } from "./end_of.ts";
import type { OpenPipe, Pipe } from "./pipe.ts";
import { WATCHER_SCRIPT } from "./watcher_script.ts";

/** How long one that died is waited for the second time, and at most; the first time not at all. */
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 10_000;

/**
 * Its standard input is a pipe whose other end only the service holds: the system closes it when the
 * service ends, even by SIGKILL. Until then it is told of each group.
 */
interface Watcher {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  /** The same pipe, for writing at once; where there is no `/proc` it cannot be had. */
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
   * Sees to it that there is a watcher, to be called before a group is made.
   * @throws ServiceError `unavailable` when none can be started.
   */
  ready(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#start();
    } catch (cause) {
      const reason = (cause as Error).message;
      const text = `Cannot start a command now: its watcher does not start: ${reason}`;
      throw new ServiceError("unavailable", text, { cause });
    }
  }

  /**
   * Where a process that is about to become a command may write `add PID` itself: the watcher's own
   * end of its pipe, because nobody but the service may look into the service.
   */
  get door(): string | undefined {
    if (this.#watcher?.pipe === undefined) return undefined;
    return `/proc/${this.#watcher.child.pid}/fd/0`;
  }

  add(pid: number): void {
    this.#groups.add(pid);
    if (this.#watcher !== undefined) tell(this.#watcher, `add ${pid}\n`);
  }

  remove(pid: number): void {
    this.#groups.delete(pid);
    if (this.#watcher !== undefined) tell(this.#watcher, `remove ${pid}\n`);
  }

  /** Ends the watcher, which ends the groups that are left. */
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
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", WATCHER_SCRIPT, "computer-control-watcher"],
      cwd: "/",
      clearEnv: true,
      env: { PATH: this.path },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true, // Ctrl+C on the terminal is for the service alone
    }).spawn();
    const watcher = {
      ...{ child, input: child.stdin.getWriter(), pipe: this.openPipe(child.pid) },
      startedAt: performance.now(),
    };
    this.#watcher = watcher;
    waitForExit(child).then(() => this.#ended(watcher));
    for (const pid of this.#groups) tell(watcher, `add ${pid}\n`);
  }

  /** Somebody has killed it. */
  #ended(watcher: Watcher): void {
    if (this.#watcher !== watcher) return;
    this.#watcher = undefined;
    release(watcher);
    if (performance.now() - watcher.startedAt > LAST_PAUSE_MS) this.#pauseMs = 0;
    this.#startAgain();
  }

  #startAgain(): void {
    if (this.#groups.size === 0) return; // the next command starts it
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, pause * 2), LAST_PAUSE_MS);
    this.#timer = setTimeout(() => {
      try {
        this.ready();
      } catch {
        this.#startAgain();
      }
    }, pause);
  }
}

function tell({ child, input, pipe }: Watcher, line: string): void {
  if (pipe === undefined) {
    input.write(encoder.encode(line)).catch(() => {}); // its end is noticed by its status
    return;
  }
  const bytes = encoder.encode(line);
  try {
    if (pipe.write(bytes) === bytes.length) return;
  } catch {
    // it is dead
  }
  kill(child); // or does not read: the next one is told of all groups
}

function release({ input, pipe }: Watcher): void {
  pipe?.close();
  input.close().catch(() => {});
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
}
