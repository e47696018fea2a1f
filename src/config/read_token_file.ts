/** Reads the file of `--token-file`, and detects when it is replaced between check and reading. */

import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularSync } from "../core/open_regular.ts";
import type { TokenFile } from "./token.ts";

/** @throws Error with a plain message, or the system's own error. */
export function readTokenFile(path: string): TokenFile {
  const named = Deno.lstatSync(path);
  if (named.isSymlink) throw new Error("it is a symbolic link: name the file itself");
  if (named.isDirectory) throw new Deno.errors.IsADirectory();
  if (!named.isFile) throw new Error("it is no plain file"); // reading a FIFO could block
  const file = openRegularSync(path);
  try {
    const { ino, dev, size } = fstatSync(file);
    if (named.ino !== null && (ino !== named.ino || dev !== named.dev)) {
      throw new Error("it was replaced meanwhile");
    }
    if (size > MAX_BYTES) throw new Error("it is too large for a token");
    const bytes = new Uint8Array(size);
    let read = 0;
    for (let more = 1; more > 0; read += more) {
      more = readSync(file, bytes, read, size - read, read);
    }
    return { text: new TextDecoder().decode(bytes.subarray(0, read)), mode: named.mode };
  } finally {
    closeSync(file);
  }
}

/** More than the longest token with white space around it. */
const MAX_BYTES = 16 * 1024;
