/** Starts a program in a job; it inherits only its input and output. */

import { keepAlive, memory, pointerAddress, wideText } from "../../../ffi/memory.ts";
import {
  CREATE_NO_WINDOW,
  CREATE_UNICODE_ENVIRONMENT,
  EXTENDED_STARTUPINFO_PRESENT,
  type Handle,
  INVALID_HANDLE,
  type Kernel32,
  OPEN_EXISTING,
  PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
  PROC_THREAD_ATTRIBUTE_JOB_LIST,
  PROCESS_INFORMATION,
  SECURITY_ATTRIBUTES,
  STARTF_USESTDHANDLES,
  STARTUPINFOEXW as STARTUP,
} from "../../../ffi/windows/kernel32.ts";
import type { Win32 } from "./process_table.ts";

export interface NewProcess {
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
export function createProcess(win32: Win32, created: NewProcess) {
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

/** Opens a file or pipe that a command inherits; `undefined` when that is not possible. */
export function openInherited(
  kernel32: Kernel32["symbols"],
  name: string,
  { access, share }: { readonly access: number; readonly share: number },
): Handle | undefined {
  const attributes = memory(SECURITY_ATTRIBUTES.size);
  const view = new DataView(attributes.buffer);
  view.setUint32(SECURITY_ATTRIBUTES.nLength, SECURITY_ATTRIBUTES.size, true);
  view.setUint32(SECURITY_ATTRIBUTES.bInheritHandle, 1, true);
  const handle = kernel32.CreateFileW(
    ...[wideText(name), access >>> 0, share, attributes, OPEN_EXISTING, 0, 0n] as const,
  );
  return handle === INVALID_HANDLE ? undefined : handle;
}
