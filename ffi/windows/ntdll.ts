/**
 * ntdll.dll: reading and writing with the status as the result (winternl.h). ReadFile reports it
 * through GetLastError, which is a separate call and can return the wrong code. A caller that then
 * takes a pending read for a failed one frees memory that the system still writes to.
 */

/** sizeof(IO_STATUS_BLOCK) on a 64-bit system. */
export const IO_STATUS_BLOCK_BYTES = 16;

const TRANSFER = {
  parameters: [
    ...["usize", "usize", "pointer", "buffer"] as const,
    ...["buffer", "buffer", "u32", "pointer", "pointer"] as const,
  ],
  result: "u32",
} as const satisfies Deno.ForeignFunction;

const SYMBOLS = {
  // NTSTATUS NtReadFile(HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine, PVOID ApcContext,
  //   PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
  NtReadFile: TRANSFER,
  // NTSTATUS NtWriteFile(HANDLE FileHandle, HANDLE Event, PIO_APC_ROUTINE ApcRoutine, PVOID ApcContext,
  //   PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer, ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
  NtWriteFile: TRANSFER,
} as const satisfies Deno.ForeignLibraryInterface;

export type Ntdll = Deno.DynamicLibrary<typeof SYMBOLS>;

/** Whether an NTSTATUS is an error: then nothing is pending and no completion comes. */
export function isFailed(status: number): boolean {
  return status >>> 30 === 3;
}

/** @throws an error on systems other than Windows. */
export function openNtdll(): Ntdll {
  return Deno.dlopen("ntdll.dll", SYMBOLS);
}
