/**
 * Whether an X server sleeps until a client asks it for something. Before it sleeps it writes out everything
 * that it has to report (`WaitForSomething()` calls `FlushAllOutput()` before `epoll_wait()`): what it has
 * done by then, its clients have been told. Read from the kernel's function in which its first thread waits,
 * the one that serves all clients (proc_pid_wchan(5)); 2 to 5 us. That it has not run since then is seen for
 * 1 us, from how often that thread was given a processor (the third number of `/proc/PID/schedstat`).
 */

import { type LocalSocketLibrary, READ_ONLY } from "../../../../ffi/linux/local_sockets.ts";

/**
 * Programs that listen themselves and wait for their clients in one place only. The socket of Xwayland, or one
 * that systemd passes on, is another program's, which sleeps when it pleases.
 */
const SERVERS: ReadonlySet<string> = new Set(["Xvfb", "Xorg", "Xephyr", "Xtigervnc", "Xvnc"]);
/** The kernel's functions behind `epoll_wait()`, by its version. */
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
    /** The second is missing where the kernel does not count. */
    private readonly files: readonly [wait: number, runs: number | undefined],
  ) {}

  /** `undefined` where it is no such server, or the system does not let us look. */
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

  /** `false` where that is not sure, too; a process that has ended never sleeps. */
  get sleepsNow(): boolean {
    if (this.#closed) return false;
    const length = Number(this.libc.pread(this.files[0], this.#function, LENGTH, 0n));
    if (length <= 0) return false;
    return ASLEEP.has(String.fromCharCode(...this.#function.subarray(0, length)));
  }

  /** Whether it has not run since {@link remember}; `false` also where that is not counted. */
  get hasNotRun(): boolean {
    const file = this.#closed ? undefined : this.files[1];
    if (file === undefined || this.libc.pread(file, this.#runs, LENGTH, 0n) <= 0n) return false;
    for (let at = 0; at < this.#runs.length; at++) {
      if (this.#runs[at] !== this.#runsWhenStill[at]) return false;
    }
    return true;
  }

  /** Keeps what the last {@link hasNotRun} has read, before it was seen asleep with nothing to report. */
  remember(): void {
    this.#runsWhenStill.set(this.#runs);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return; // the numbers may be other files' by now
    this.#closed = true;
    for (const file of this.files) {
      if (file !== undefined) this.libc.close(file);
    }
  }
}
