/** Opens files and pipes that a command inherits. */

import { memory, wideText } from "../../../ffi/memory.ts";
import {
  type Handle,
  INVALID_HANDLE,
  type Kernel32,
  OPEN_EXISTING,
  SECURITY_ATTRIBUTES,
} from "../../../ffi/windows/kernel32.ts";

export interface Opening {
  readonly access: number;
  readonly share: number;
}

/** Returns `undefined` when the file or pipe cannot be opened. */
export function openInherited(
  kernel32: Kernel32["symbols"],
  name: string,
  { access, share }: Opening,
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
