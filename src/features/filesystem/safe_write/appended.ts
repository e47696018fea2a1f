/**
 * Handles bytes that another program has appended to a file since it was read: finds them in the
 * old file and adds them to the new one.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Descriptor } from "./descriptor.ts";

/** Bytes per read. */
const PIECE = 256 * 1024;

/** Whether a file still begins with these bytes; compares piece by piece. */
export async function beginsWith(file: Descriptor, bytes: Uint8Array): Promise<boolean> {
  const piece = Buffer.alloc(Math.min(PIECE, bytes.length));
  file.seek(0);
  for (let at = 0; at < bytes.length;) {
    const read = await file.read(piece.subarray(0, Math.min(PIECE, bytes.length - at)));
    if (read === 0) return false;
    if (!piece.subarray(0, read).equals(bytes.subarray(at, at + read))) return false;
    at += read;
  }
  return true;
}

/** The hash of the first `size` bytes; `undefined` if the file is shorter. */
export async function hashOfStart(file: Descriptor, size: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  const piece = new Uint8Array(PIECE);
  file.seek(0);
  for (let left = size; left > 0;) {
    const read = await file.read(piece.subarray(0, Math.min(PIECE, left)));
    if (read === 0) return undefined;
    hash.update(piece.subarray(0, read));
    left -= read;
  }
  return hash.digest("hex");
}

/**
 * Appends what `from` holds from `start` on to `to`, which is open for appending; returns the end
 * of `from`.
 */
export async function appendRest(from: Descriptor, to: Descriptor, start: number): Promise<number> {
  const piece = new Uint8Array(PIECE);
  from.seek(start);
  let end = start;
  while (true) {
    const read = await from.read(piece);
    if (read === 0) break;
    for (let written = 0; written < read;) {
      written += await to.write(piece.subarray(written, read));
    }
    end += read;
  }
  if (end > start) await to.sync();
  return end;
}
