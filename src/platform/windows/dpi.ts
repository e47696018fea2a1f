/** Makes Windows use physical pixels, with each monitor's own scale. */

import { openShcore, PROCESS_PER_MONITOR_DPI_AWARE } from "../../../ffi/windows/shcore.ts";
import {
  DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2,
  type User32,
} from "../../../ffi/windows/user32.ts";

/** For the whole process; has no effect when the manifest or an earlier call has already set it. */
export function becomeDpiAware(user32: User32): void {
  const context = Deno.UnsafePointer.create(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  if (user32.SetProcessDpiAwarenessContext?.(context)) return;
  if (becomeAwareBefore1703()) return;
  user32.SetProcessDPIAware();
}

function becomeAwareBefore1703(): boolean {
  try {
    using shcore = closing(openShcore());
    return shcore.symbols.SetProcessDpiAwareness(PROCESS_PER_MONITOR_DPI_AWARE) === 0;
  } catch {
    return false; // Windows 8 and earlier lack this library
  }
}

function closing<L extends { close(): void }>(library: L): L & Disposable {
  return Object.assign(library, { [Symbol.dispose]: () => library.close() });
}
