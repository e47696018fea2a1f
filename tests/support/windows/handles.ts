/** Counts the open handles of this process on Windows. */

import { memory } from "../../../ffi/memory.ts";

const SystemHandleInformation = 16;
/** Byte offsets of SYSTEM_HANDLE_INFORMATION and of its entries. */
const FIRST_ENTRY = 8;
const ENTRY_BYTES = 24;
const MOST_BYTES = 4 * 1024 * 1024;

/** All of them, of every kind. GetProcessHandleCount would tell it shorter; wine answers it with 0. */
export function countHandles(): number {
  using ntdll = openNtdll();
  const table = memory(MOST_BYTES);
  const status = ntdll.symbols.NtQuerySystemInformation(
    ...[SystemHandleInformation, table, MOST_BYTES, null] as const,
  );
  if (status !== 0) throw new Error(`Windows does not tell its handles: ${status.toString(16)}`);
  const view = new DataView(table.buffer);
  const owners = Array.from(
    { length: view.getUint32(0, true) },
    (_, index) => view.getUint16(FIRST_ENTRY + index * ENTRY_BYTES, true),
  );
  return owners.filter((owner) => owner === (Deno.pid & 0xffff)).length;
}

function openNtdll() {
  const library = Deno.dlopen("ntdll.dll", {
    // NTSTATUS NtQuerySystemInformation(SYSTEM_INFORMATION_CLASS SystemInformationClass,
    //   PVOID SystemInformation, ULONG SystemInformationLength, PULONG ReturnLength)
    NtQuerySystemInformation: { parameters: ["i32", "buffer", "u32", "pointer"], result: "u32" },
  });
  return { symbols: library.symbols, [Symbol.dispose]: () => library.close() };
}
