/**
 * A job object: contains all processes that one command starts, and ends them when its last handle
 * closes, so also when the service ends.
 */

import { memory } from "../../../ffi/memory.ts";
import {
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
} from "../../../ffi/windows/kernel32.ts";
import type { Listener } from "./completions.ts";
import type { Win32 } from "./win32.ts";

const POINTER_BYTES = 8;
/** Room for processes that start between counting and listing. */
const SPARE_MEMBERS = 16;

export class Job {
  /** Not inheritable: only the service holds it. */
  readonly handle: Handle;
  readonly #key: number;
  #closed = false;

  /** @throws Error when the system creates no job */
  constructor(private readonly win32: Win32, listener: Listener) {
    this.handle = win32.kernel32.CreateJobObjectW(null, null);
    if (this.handle === 0n) throw new Error("Windows makes no job now");
    this.#key = win32.completions.add(listener);
    if (this.#limit() && this.#listen()) return;
    this.close();
    throw new Error("Windows does not set up a job");
  }

  /** The number of running processes in the job. */
  get size(): number {
    const accounting = memory(ACCOUNTING.size);
    if (!this.#query(JobObjectBasicAccountingInformation, accounting)) return 0;
    return new DataView(accounting.buffer).getUint32(ACCOUNTING.ActiveProcesses, true);
  }

  holds(pid: number): boolean {
    return this.members().includes(pid);
  }

  /** The ids of the running processes in the job. */
  members(): readonly number[] {
    const room = this.size + SPARE_MEMBERS;
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

  /** Ends every process of the job with this exit code. */
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
