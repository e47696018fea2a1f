/** Copies extended attributes with calls of the C library. */

import { openXattrLibrary } from "../../../../ffi/linux/xattr.ts";
import type { CopyAttributes } from "../../types/mod.ts";

/** Linux's limit for the list of names and for one value, in bytes. */
const MAX_BYTES = 65_536;

/**
 * The access control list. A new file inherits one from a folder with a default list; a file that
 * loses its own list can become accessible to more users.
 */
const ACCESS_LIST = "system.posix_acl_access";

/** @throws when the C library is not glibc. */
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
      // other attributes that this user is not allowed to set are skipped
      if (status !== 0 && name === ACCESS_LIST) throw notKept();
    }
  };
}

/** The names in a list in which each name ends with a NUL. */
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
