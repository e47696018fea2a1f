/**
 * One command on Windows: a shell in a job, with one pipe for output and errors and one for input.
 */

import { memory } from "../../../ffi/memory.ts";
import {
  FILE_SHARE_READ_WRITE,
  GENERIC_READ,
  type Handle,
  WAIT_OBJECT_0,
} from "../../../ffi/windows/kernel32.ts";
import type { Command } from "../types/mod.ts";
import { createProcess } from "./create_process.ts";
import { isConsoleHost } from "./image_name.ts";
import { openInherited } from "./inherited.ts";
import { Job } from "./job.ts";
import { InputPipe, OutputPipe } from "./pipe.ts";
import type { Win32 } from "./win32.ts";

/** Exit codes of processes that we end, as on the other systems: 128 + the signal number. */
const ENDED_BY = { SIGTERM: 128 + 15, SIGKILL: 128 + 9 } as const;

/** Pause before a shell that is about to end is checked again. */
const SOON_MS = 1;

export interface WindowsCommandLine {
  /** The complete command line, including the shell. */
  readonly line: string;
  readonly folder: string;
  readonly environment: Uint8Array<ArrayBuffer>;
  /** Whether the command gets an input; otherwise it reads from NUL. */
  readonly input: boolean;
}

export class WindowsCommand implements Command {
  readonly pid: number;
  readonly input: InputPipe | undefined;
  readonly #output: OutputPipe;
  readonly #job: Job;
  readonly #process: Handle;
  readonly #exitCode = Promise.withResolvers<number>();
  readonly #gone = Promise.withResolvers<void>();
  #shellAlive = true;
  #closed = false;

  /** @throws Error when the system starts no process; everything that was opened is closed then */
  constructor(private readonly win32: Win32, command: WindowsCommandLine) {
    const { line, folder, environment } = command;
    using ours = new DisposableStack();
    using theirs = new DisposableStack();
    const inherited = (handle: Handle) => theirs.adopt(handle, win32.kernel32.CloseHandle);

    this.#job = new Job(win32, {
      completed: ({ about }) => about === this.pid ? this.#lookUntilEnd() : this.#look(),
      look: () => this.#look(),
    });
    ours.defer(() => this.#job.close());
    this.#output = new OutputPipe(win32);
    ours.defer(() => void this.#output.close());
    const output = inherited(this.#output.theirs);
    this.input = command.input ? new InputPipe(win32) : undefined;
    ours.defer(() => void this.input?.close());
    const input = inherited(this.input?.theirs ?? openNothing(win32));

    const job = this.#job.handle;
    const made = createProcess(win32, { line, folder, environment, job, input, output });
    this.pid = made.pid;
    this.#process = made.handle;
    ours.move(); // keep everything open: the command runs
  }

  get ended(): Promise<number> {
    return this.#exitCode.promise;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#output.read();
  }

  holds(pid: number): Promise<boolean> {
    return Promise.resolve(!this.#closed && this.#job.holds(pid));
  }

  isAlive(): Promise<boolean> {
    return Promise.resolve(this.#isAlive());
  }

  gone(): Promise<void> {
    this.#look();
    return this.#gone.promise;
  }

  /**
   * SIGTERM asks the windows of the job to close. A job without a window cannot be asked and is
   * terminated immediately; one that does not obey is ended by SIGKILL.
   */
  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const asked = signal === "SIGTERM" && this.win32.windows.askToClose(this.#job.members());
    if (!asked) this.#job.terminate(ENDED_BY[signal]);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#job.close();
    await Promise.all([this.input?.close(), this.#output.close()]);
    this.win32.kernel32.CloseHandle(this.#process);
  }

  #look(): void {
    if (this.#closed) return;
    if (this.#shellAlive && this.#hasEnded()) {
      this.#shellAlive = false;
      this.#exitCode.resolve(this.#readExitCode());
    }
    if (!this.#isAlive()) this.#gone.resolve();
  }

  /** The job reports an end shortly before the process handle shows it. */
  #lookUntilEnd(): void {
    this.#look();
    if (this.#shellAlive && !this.#closed && !this.#job.holds(this.pid)) {
      setTimeout(() => this.#lookUntilEnd(), SOON_MS);
    }
  }

  /**
   * Ignores the console host, which the system owns and which ends shortly after the last program.
   */
  #isAlive(): boolean {
    if (this.#shellAlive) return true;
    return this.#job.members().some((pid) => !isConsoleHost(this.win32.kernel32, pid));
  }

  #hasEnded(): boolean {
    return this.win32.kernel32.WaitForSingleObject(this.#process, 0) === WAIT_OBJECT_0;
  }

  #readExitCode(): number {
    const code = memory(4);
    this.win32.kernel32.GetExitCodeProcess(this.#process, code);
    return new DataView(code.buffer).getUint32(0, true);
  }
}

/** An empty input. */
function openNothing({ kernel32 }: Win32): Handle {
  const nothing = { access: GENERIC_READ, share: FILE_SHARE_READ_WRITE };
  const handle = openInherited(kernel32, "NUL", nothing);
  if (handle === undefined) throw new Error("Windows does not open NUL");
  return handle;
}
