/** The content to write to a file, in pieces, and functions that write it. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { type ByteSink, writeAll } from "../../../core/bytes.ts";
import { ServiceError } from "../../../core/errors.ts";
import { encodeText } from "../../../core/texts.ts";
import type { Descriptor } from "./descriptor.ts";

/**
 * What a file should contain; `pieces` can be iterated again. A piece is valid only until the next
 * one.
 */
export interface Content {
  /** In bytes. */
  readonly size: number;
  pieces(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Whether nobody needs its hash, which takes as long as receiving it. */
  readonly isUnhashed?: boolean;
}

/** Bytes that come one after the other and are nowhere else: they can be written once. */
export function contentOfStream(stream: AsyncIterable<Uint8Array>): Content {
  // the size is unknown until the end, and needed only to write twice
  return { size: 0, isUnhashed: true, pieces: () => stream };
}

/** Content that is in memory as one array. */
export function toContent(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    *pieces() {
      for (let at = 0; at < bytes.length; at += SMALL_PIECE) {
        yield bytes.subarray(at, at + SMALL_PIECE);
      }
    },
  };
}

/** A text as UTF-8, encoded piece by piece. */
export function contentOfText(text: string): Content {
  let size: number | undefined;
  return {
    get size() {
      return size ??= Buffer.byteLength(text); // takes milliseconds for a large text
    },
    pieces: () => encodeText(text),
  };
}

/** Bytes per read. */
const PIECE = 1024 * 1024;

/** Bytes hashed in one go: a millisecond at most. */
const SMALL_PIECE = 128 * 1024;

/** The first `size` bytes of an open file, never all in memory. */
export function contentOfFile(file: { readonly fd: number }, size: number): Content {
  return { size, pieces: () => readPieces(file.fd, size) };
}

/** Each piece reuses the memory of the previous one. */
function* readPieces(fd: number, size: number): Iterable<Uint8Array> {
  const piece = new Uint8Array(Math.min(PIECE, size));
  for (let at = 0; at < size;) {
    const read = readSync(fd, piece, 0, Math.min(piece.length, size - at), at);
    if (read === 0) throw new ServiceError("conflict", "A file became shorter while it was read");
    yield piece.subarray(0, read);
    at += read;
  }
}

/** Writes all content at the file's position, and returns the hash of what was written, or "". */
export async function writeContent(file: ByteSink, content: Content): Promise<string> {
  const hash = content.isUnhashed ? undefined : createHash("sha256");
  for await (const piece of content.pieces()) {
    const writing = writeAll(file, piece);
    hash?.update(piece); // hash while the system writes
    await writing;
  }
  return hash?.digest("hex") ?? "";
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

// Determines what an interrupted in-place write has left; reads the three files piece by piece.

/** `mix`: our own unfinished write. `other`: another program has changed the file since. */
type ContentOrigin = "old" | "new" | "mix" | "other";

/** Bytes compared in one go. */
const COMPARED_BYTES = 1024 * 1024;

interface Files {
  readonly now: Descriptor;
  readonly old: Descriptor;
  readonly fresh: Descriptor;
}

export async function compareWithBoth(files: Files): Promise<ContentOrigin> {
  const [size, oldSize, freshSize] = await Promise.all(
    [files.now, files.old, files.fresh].map((file) => file.size()),
  ) as [number, number, number];
  const seen = await compareBytes(files);
  if (seen.isOld && size === oldSize) return "old";
  if (seen.isNew && size === freshSize) return "new";
  // our writing never shortens the file before it is complete; a file cut by a system crash has
  // lost bytes, not gained any
  if (size < oldSize) return seen.isOld && size > 0 ? "mix" : "other";
  return seen.isMix ? "mix" : "other";
}

/** Whether all bytes match those of the old file, of the new one, or each of them either. */
async function compareBytes({ now, old, fresh }: Files) {
  const seen = { isOld: true, isNew: true, isMix: true };
  const files = [now, old, fresh];
  const buffers = files.map(() => new Uint8Array(COMPARED_BYTES));
  for (const file of files) file.seek(0);
  while (seen.isMix) {
    const [here, before, after] = await Promise.all(
      files.map(async (file, at) => buffers[at]!.subarray(0, await file.read(buffers[at]!))),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    if (here.length === 0) break;
    for (let at = 0; at < here.length; at++) {
      const [isOld, isNew] = [here[at] === before[at], here[at] === after[at]];
      seen.isOld &&= isOld;
      seen.isNew &&= isNew;
      seen.isMix &&= isOld || isNew;
    }
  }
  return seen;
}

// Handles bytes that another program has appended to a file since it was read: finds them in the
// old file and adds them to the new one.

/** Bytes per read. */
const APPENDED_BYTES = 256 * 1024;

/** The hash of the first `size` bytes; `undefined` if the file is shorter. */
export async function hashOfStart(file: Descriptor, size: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  const piece = new Uint8Array(APPENDED_BYTES);
  file.seek(0);
  for (let left = size; left > 0;) {
    const read = await file.read(piece.subarray(0, Math.min(APPENDED_BYTES, left)));
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
export async function appendRemainder(
  from: Descriptor,
  to: Descriptor,
  start: number,
): Promise<number> {
  const piece = new Uint8Array(APPENDED_BYTES);
  from.seek(start);
  let end = start;
  while (true) {
    const read = await from.read(piece);
    if (read === 0) break;
    await writeAll(to, piece.subarray(0, read));
    end += read;
  }
  if (end > start) await to.handle.sync();
  return end;
}
