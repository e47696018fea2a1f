/** Pipes to commands where Windows refuses, without a Windows. */

import { expect } from "expect";
import type { Handle } from "../../../ffi/windows/kernel32.ts";
import { type Listener, OutputPipe, type Win32 } from "../../../src/platform/windows/pipe.ts";

Deno.test("a pipe of whose data nobody would be told is refused, and nothing of it stays", () => {
  const open = new Set<Handle>();
  const listeners = new Map<number, Listener>();
  const opened = (handle: Handle) => (open.add(handle), handle);
  const win32 = {
    kernel32: {
      CreateNamedPipeW: () => opened(4n),
      CreateFileW: () => opened(8n),
      CreateIoCompletionPort: () => 0n,
      CloseHandle: (handle: Handle) => Number(open.delete(handle)),
    },
    completions: {
      port: 12n,
      add: (listener: Listener) => (listeners.set(1, listener), 1),
      remove: (key: number) => listeners.delete(key),
    },
  } as unknown as Win32;
  expect(() => new OutputPipe(win32)).toThrow("cannot listen on a pipe");
  expect([...open, ...listeners]).toEqual([]);
});
