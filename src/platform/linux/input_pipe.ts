/**
 * Opens a process's standard input pipe a second time, through `/proc`. The process must not
 * redirect its input meanwhile, not even for a single command of a shell: `/proc` would then lead
 * to another file.
 */

import {
  openPipeLibrary,
  type PipeLibrary,
  POLLERR,
  POLLFD,
  WRITE_FLAGS,
} from "../../../ffi/linux/pipe.ts";
import type { Pipe } from "../posix/pipe.ts";

let library: PipeLibrary | undefined;

/** `undefined` when there is no `/proc` or no such process. */
export function openInputPipe(pid: number): Pipe | undefined {
  try {
    library ??= openPipeLibrary();
  } catch {
    return undefined;
  }
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
    if (this.#isBroken()) throw new Error("Nobody reads the pipe");
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
