/** Copies extended attributes by the C library's calls. */

import { openXattrLibrary } from "../../../../ffi/linux/xattr.ts";
import type { CopyAttributes } from "../../types/mod.ts";

/** The largest list of names, and the largest value, that Linux knows, in bytes. */
const MAX_BYTES = 65_536;

/** A new file gets one by itself where its folder has a default list; without its list, a file may be open to more. */
const ACCESS_LIST = "system.posix_acl_access";

/** @throws where the C library is another one. */
export function openCopyAttributes(): CopyAttributes {
  const { symbols } = openXattrLibrary();
  const value = new Uint8Array(MAX_BYTES);
  const listNames = (fd: number) =>
    namesIn(value, Number(symbols.flistxattr(fd, value, BigInt(MAX_BYTES))));
  return (from, to) => {
    const wanted = listNames(from);
    for (const name of listNames(to)) {
      if (wanted.includes(name)) continue;
      const status = symbols.fremovexattr(to, cText(name));
      if (status !== 0 && name === ACCESS_LIST) throw notKept();
    }
    for (const name of wanted) {
      const size = symbols.fgetxattr(from, cText(name), value, BigInt(MAX_BYTES));
      const status = size < 0n ? -1 : symbols.fsetxattr(to, cText(name), value, size, 0);
      // other attributes that this user may not set are left behind
      if (status !== 0 && name === ACCESS_LIST) throw notKept();
    }
  };
}

/** The names in a list, where each ends with a NUL. */
function namesIn(list: Uint8Array, length: number): string[] {
  const text = new TextDecoder().decode(list.subarray(0, Math.max(0, length)));
  return text.split("\0").slice(0, -1);
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}

function notKept(): Error {
  return new Deno.errors.PermissionDenied("The access list of a file cannot be kept");
}
