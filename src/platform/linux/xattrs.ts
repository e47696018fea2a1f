/** Copies extended attributes by the C library's calls. */

import { openXattrLibrary, type XattrLibrary } from "../../../ffi/linux/xattr.ts";
import type { CopyAttributes } from "../extended_attributes.ts";

/** The largest list of names, and the largest value, that Linux knows, in bytes. */
const MAX_BYTES = 65_536;

export function openXattrs(): CopyAttributes {
  let library: XattrLibrary;
  try {
    library = openXattrLibrary();
  } catch {
    return () => {}; // a system without the GNU C library
  }
  const { symbols } = library;
  const value = new Uint8Array(MAX_BYTES);
  return (from, to) => {
    const [source, target] = [cText(from), cText(to)];
    const listed = Number(symbols.listxattr(source, value, BigInt(MAX_BYTES)));
    for (const name of namesIn(value.slice(0, Math.max(0, listed)))) {
      const size = symbols.getxattr(source, name, value, BigInt(MAX_BYTES));
      // attributes that this user may not set are left behind
      if (size >= 0n) symbols.setxattr(target, name, value, size, 0);
    }
  };
}

/** Names, each with its NUL. */
function namesIn(list: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const names: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < list.length;) {
    const end = list.indexOf(0, start) + 1;
    if (end === 0) break;
    names.push(list.subarray(start, end));
    start = end;
  }
  return names;
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}
