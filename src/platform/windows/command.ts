/**
 * One command on Windows: a shell in a job, with one pipe for output and errors and one for input.
 */

import { keepAlive, memory, pointerAddress, wideText } from "../../../ffi/memory.ts";
import {
  CREATE_NO_WINDOW,
  CREATE_UNICODE_ENVIRONMENT,
  EXTENDED_STARTUPINFO_PRESENT,
  FILE_SHARE_READ_WRITE,
  GENERIC_READ,
  type Handle,
  JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
  JOBOBJECT_ASSOCIATE_COMPLETION_PORT as PORT,
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION as ACCOUNTING,
  JOBOBJECT_BASIC_PROCESS_ID_LIST as ID_LIST,
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION as LIMITS,
  JobObjectAssociateCompletionPortInformation,
  JobObjectBasicAccountingInformation,
  JobObjectBasicProcessIdList,
  JobObjectExtendedLimitInformation,
  type Kernel32,
  PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
  PROC_THREAD_ATTRIBUTE_JOB_LIST,
  PROCESS_INFORMATION,
  PROCESS_QUERY_LIMITED_INFORMATION,
  STARTF_USESTDHANDLES,
  STARTUPINFOEXW as STARTUP,
  WAIT_OBJECT_0,
} from "../../../ffi/windows/kernel32.ts";
import { GW_OWNER, type User32, WM_CLOSE } from "../../../ffi/windows/user32.ts";
import type { Command } from "../types/mod.ts";
import { InputPipe, type Listener, openInherited, OutputPipe, type Win32 } from "./pipe.ts";
import { listHandles } from "./windows/native_windows.ts";

/** Exit codes of processes that we end, as on the other systems: 128 + the signal number. */
const ENDED_BY = { SIGTERM: 128 + 15, SIGKILL: 128 + 9 } as const;

/** Pause before a shell that is about to end is checked again. */
const SOON_MS = 1;

interface WindowsCommandLine extends Pick<NewProcess, "line" | "folder" | "environment"> {
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
      completed: ({ about }) => about === this.pid ? this.#pollUntilEnd() : this.#poll(),
      poll: () => this.#poll(),
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
    this.#poll();
    return this.#gone.promise;
  }

  /**
   * SIGTERM asks the windows of the job to close. A job without a window cannot be asked and is
   * terminated immediately; one that does not obey is ended by SIGKILL.
   */
  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const asked = signal === "SIGTERM" && askToClose(this.win32.user32, this.#job.members());
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

  #poll(): void {
    if (this.#closed) return;
    const { kernel32 } = this.win32;
    if (this.#shellAlive && kernel32.WaitForSingleObject(this.#process, 0) === WAIT_OBJECT_0) {
      const code = new Uint32Array(1);
      kernel32.GetExitCodeProcess(this.#process, code);
      this.#shellAlive = false;
      this.#exitCode.resolve(code[0]!);
    }
    if (!this.#isAlive()) this.#gone.resolve();
  }

  /** The job reports an end shortly before the process handle shows it. */
  #pollUntilEnd(): void {
    this.#poll();
    if (this.#shellAlive && !this.#closed && !this.#job.holds(this.pid)) {
      setTimeout(() => this.#pollUntilEnd(), SOON_MS);
    }
  }

  /**
   * Ignores the console host, which the system owns and which ends shortly after the last program.
   */
  #isAlive(): boolean {
    if (this.#shellAlive) return true;
    return this.#job.members().some((pid) => !isConsoleHost(this.win32.kernel32, pid));
  }
}

function openNothing({ kernel32 }: Win32): Handle {
  const nothing = { access: GENERIC_READ, share: FILE_SHARE_READ_WRITE };
  const handle = openInherited(kernel32, "NUL", nothing);
  if (handle === undefined) throw new Error("Windows cannot open NUL");
  return handle;
}

// Finds the program that a process runs.

const MAX_PATH_UNITS = 32_767;
const CONSOLE_HOST = /[\\/]conhost\.exe$/i;

const decoder = new TextDecoder("utf-16le");

/**
 * Whether the process is a console host. Also true for a process that has ended, because it does
 * not count as running either.
 */
function isConsoleHost(kernel32: Kernel32["symbols"], pid: number): boolean {
  const path = readImageName(kernel32, pid);
  return path === undefined || CONSOLE_HOST.test(path);
}

/** The path of the program; `undefined` when the process has ended. */
function readImageName(kernel32: Kernel32["symbols"], pid: number): string | undefined {
  const handle = kernel32.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
  if (handle === 0n) return undefined;
  try {
    const path = memory(MAX_PATH_UNITS * 2);
    const length = new Uint32Array([MAX_PATH_UNITS]);
    const done = kernel32.QueryFullProcessImageNameW(handle, 0, path, length);
    return done === 0 ? undefined : decoder.decode(path.subarray(0, length[0]! * 2));
  } finally {
    kernel32.CloseHandle(handle);
  }
}

// A job object: contains all processes that one command starts, and ends them when its last handle
// closes, so also when the service ends.

const POINTER_BYTES = 8;
/** Room for processes that start between counting and listing. */
const SPARE_MEMBERS = 16;

class Job {
  /** Not inheritable: only the service holds it. */
  readonly handle: Handle;
  readonly #key: number;
  #closed = false;

  /** @throws Error when the system creates no job */
  constructor(private readonly win32: Win32, listener: Listener) {
    this.handle = win32.kernel32.CreateJobObjectW(null, null);
    if (this.handle === 0n) throw new Error("Windows cannot create a job now");
    this.#key = win32.completions.add(listener);
    if (this.#limit() && this.#listen()) return;
    this.close();
    throw new Error("Windows cannot set up a job");
  }

  holds(pid: number): boolean {
    return this.members().includes(pid);
  }

  members(): readonly number[] {
    const accounting = memory(ACCOUNTING.size);
    this.#query(JobObjectBasicAccountingInformation, accounting);
    const size = new DataView(accounting.buffer).getUint32(ACCOUNTING.ActiveProcesses, true);
    const room = size + SPARE_MEMBERS;
    const list = memory(ID_LIST.ProcessIdList + room * POINTER_BYTES);
    // fails when there are more, but lists those that fit
    this.#query(JobObjectBasicProcessIdList, list);
    const view = new DataView(list.buffer);
    const length = Math.min(view.getUint32(ID_LIST.NumberOfProcessIdsInList, true), room);
    return Array.from(
      { length },
      (_, index) => view.getUint32(ID_LIST.ProcessIdList + index * POINTER_BYTES, true),
    );
  }

  terminate(exitCode: number): void {
    if (!this.#closed) this.win32.kernel32.TerminateJobObject(this.handle, exitCode);
  }

  /** Closes the handle, which ends the remaining processes. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.win32.completions.remove(this.#key);
    this.win32.kernel32.CloseHandle(this.handle);
  }

  #limit(): boolean {
    const limits = memory(LIMITS.size);
    const view = new DataView(limits.buffer);
    view.setUint32(LIMITS.LimitFlags, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, true);
    return this.#set(JobObjectExtendedLimitInformation, limits);
  }

  #listen(): boolean {
    const association = memory(PORT.size);
    const view = new DataView(association.buffer);
    view.setBigUint64(PORT.CompletionKey, BigInt(this.#key), true);
    view.setBigUint64(PORT.CompletionPort, this.win32.completions.port, true);
    return this.#set(JobObjectAssociateCompletionPortInformation, association);
  }

  #set(what: number, bytes: Uint8Array<ArrayBuffer>): boolean {
    const { kernel32 } = this.win32;
    return kernel32.SetInformationJobObject(this.handle, what, bytes, bytes.byteLength) !== 0;
  }

  #query(what: number, bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#closed) return false;
    const { kernel32 } = this.win32;
    const { byteLength } = bytes;
    return kernel32.QueryInformationJobObject(this.handle, what, bytes, byteLength, null) !== 0;
  }
}

// Starts a program in a job; it inherits only its input and output.

interface NewProcess {
  /** The complete command line, including the program. */
  readonly line: string;
  readonly folder: string;
  /** The result of {@link environmentBlock}. */
  readonly environment: Uint8Array<ArrayBuffer>;
  readonly job: Handle;
  readonly input: Handle;
  /** For both standard output and standard error. */
  readonly output: Handle;
}

const ATTRIBUTES = 2;

/**
 * The process joins the job before it runs its first instruction, so none of its children can
 * escape. The caller closes its handle.
 * @throws Error when the system starts no process
 */
function createProcess(win32: Win32, created: NewProcess) {
  const { kernel32 } = win32;
  const inherited = numbers([created.input, created.output]);
  const jobs = numbers([created.job]);
  const attributes = attributeList(win32, [
    [PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited],
    [PROC_THREAD_ATTRIBUTE_JOB_LIST, jobs],
  ]);
  try {
    const information = memory(PROCESS_INFORMATION.size);
    const flags = CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
    const done = kernel32.CreateProcessW(
      ...[null, wideText(created.line), null, null, 1, flags] as const,
      ...[created.environment, wideText(created.folder)] as const,
      ...[startup(created, attributes), information] as const,
    );
    if (done === 0) throw new Error(`CreateProcessW failed (error ${kernel32.GetLastError()})`);
    const view = new DataView(information.buffer);
    kernel32.CloseHandle(view.getBigUint64(PROCESS_INFORMATION.hThread, true));
    return {
      pid: view.getUint32(PROCESS_INFORMATION.dwProcessId, true),
      handle: view.getBigUint64(PROCESS_INFORMATION.hProcess, true),
    };
  } finally {
    kernel32.DeleteProcThreadAttributeList(attributes);
    keepAlive(inherited, jobs); // the list refers to them
  }
}

type Attribute = readonly [name: bigint, value: Uint8Array<ArrayBuffer>];

function attributeList(
  { kernel32 }: Win32,
  attributes: readonly Attribute[],
): Uint8Array<ArrayBuffer> {
  const size = memory(8);
  kernel32.InitializeProcThreadAttributeList(memory(0), ATTRIBUTES, 0, size); // returns the size
  const list = memory(Number(new DataView(size.buffer).getBigUint64(0, true)));
  const made = kernel32.InitializeProcThreadAttributeList(list, ATTRIBUTES, 0, size) !== 0 &&
    attributes.every(([name, value]) =>
      kernel32.UpdateProcThreadAttribute(
        ...[list, 0, name, value, BigInt(value.byteLength), null, null] as const,
      ) !== 0
    );
  if (!made) throw new Error("Windows accepts no attributes for a process");
  return list;
}

function startup({ input, output }: NewProcess, attributes: Uint8Array<ArrayBuffer>) {
  const bytes = memory(STARTUP.size);
  const view = new DataView(bytes.buffer);
  view.setUint32(STARTUP.cb, STARTUP.size, true);
  view.setUint32(STARTUP.dwFlags, STARTF_USESTDHANDLES, true);
  view.setBigUint64(STARTUP.hStdInput, input, true);
  view.setBigUint64(STARTUP.hStdOutput, output, true);
  view.setBigUint64(STARTUP.hStdError, output, true);
  view.setBigUint64(STARTUP.lpAttributeList, pointerAddress(attributes), true);
  return bytes;
}

function numbers(handles: readonly Handle[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.from(handles).buffer);
}

// Asks the windows of programs to close.

/**
 * Asks each main window of these processes to close, as its close button does; returns whether
 * there is one. A dialog has an owner; closing the owner ends the program.
 */
function askToClose(user32: User32, pids: readonly number[]): boolean {
  const windows = listHandles(user32).filter((window) => {
    const pid = memory(4);
    user32.GetWindowThreadProcessId(window, pid);
    return pids.includes(new DataView(pid.buffer).getUint32(0, true)) &&
      user32.IsWindowVisible(window) !== 0 && user32.GetWindow(window, GW_OWNER) === 0n;
  });
  return windows.map((window) => user32.PostMessageW(window, WM_CLOSE, 0n, 0n) !== 0)
    .includes(true);
}
