/**
 * Detects that an X server sleeps until its next request. Before it sleeps, it writes out
 * everything that it has to report (`WaitForSomething()` calls `FlushAllOutput()` before
 * `epoll_wait()`), so clients have been sent all that happened before. The check reads the kernel
 * function in which the server's first thread waits, the one that serves all clients
 * (proc_pid_wchan(5)), in 2 to 5 us. Whether the server has run since then is checked in 1 us, by
 * how often that thread was scheduled (the third number of `/proc/PID/schedstat`).
 */

import { type LocalSocketLibrary, READ_ONLY } from "../../../../ffi/linux/local_sockets.ts";

/**
 * Servers that listen on their own socket and wait for clients in one place only. The socket of
 * Xwayland, or one that systemd passes on, belongs to another program, whose sleep proves nothing.
 */
const SERVERS: ReadonlySet<string> = new Set(["Xvfb", "Xorg", "Xephyr", "Xtigervnc", "Xvnc"]);
/** The kernel functions that implement `epoll_wait()`, depending on the kernel version. */
const ASLEEP: ReadonlySet<string> = new Set(["do_epoll_wait", "ep_poll"]);
const MAX_BYTES = 64;
const LENGTH = BigInt(MAX_BYTES);

export class SleepingServer implements Disposable {
  readonly #function = new Uint8Array(MAX_BYTES);
  readonly #runs = new Int32Array(MAX_BYTES / 4);
  readonly #runsWhenStill = new Int32Array(MAX_BYTES / 4);

  #closed = false;

  private constructor(
    private readonly libc: LocalSocketLibrary,
    /** `runs` is `undefined` when the kernel does not count. */
    private readonly files: readonly [wait: number, runs: number | undefined],
  ) {}

  /** `undefined` when the process is no such server, or the system denies access. */
  static async open(libc: LocalSocketLibrary, pid: number): Promise<SleepingServer | undefined> {
    const program = await Deno.readTextFile(`/proc/${pid}/comm`).catch(() => "");
    const runs = await Deno.readTextFile(`/proc/${pid}/schedstat`).catch(() => "");
    if (!SERVERS.has(program.trim())) return undefined;
    const open = (name: string) =>
      libc.open(new TextEncoder().encode(`/proc/${pid}/${name}\0`), READ_ONLY);
    const wait = open("wchan");
    if (wait < 0) return undefined;
    const counts = Number(runs.split(" ")[2]) > 0 ? open("schedstat") : -1;
    return new SleepingServer(libc, [wait, counts < 0 ? undefined : counts]);
  }

  /** Also `false` when it is not certain; a process that has ended never counts as asleep. */
  get sleepsNow(): boolean {
    if (this.#closed) return false;
    const length = Number(this.libc.pread(this.files[0], this.#function, LENGTH, 0n));
    if (length <= 0) return false;
    return ASLEEP.has(String.fromCharCode(...this.#function.subarray(0, length)));
  }

  /**
   * Whether the server has not run since {@link remember}; `false` also when the kernel does not
   * count.
   */
  get hasNotRun(): boolean {
    const file = this.#closed ? undefined : this.files[1];
    if (file === undefined || this.libc.pread(file, this.#runs, LENGTH, 0n) <= 0n) return false;
    for (let at = 0; at < this.#runs.length; at++) {
      if (this.#runs[at] !== this.#runsWhenStill[at]) return false;
    }
    return true;
  }

  /**
   * Saves the count that the last {@link hasNotRun} read, before the server was seen asleep with
   * nothing to report.
   */
  remember(): void {
    this.#runsWhenStill.set(this.#runs);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return; // the descriptors can belong to other files by now
    this.#closed = true;
    for (const file of this.files) {
      if (file !== undefined) this.libc.close(file);
    }
  }
}
