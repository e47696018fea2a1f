/** The content to write to a file, in pieces, and functions that write it. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { encodeText } from "../../../core/encode_text.ts";
import { ServiceError } from "../../../core/errors.ts";

/** A source of bytes; returns 0 at the end. */
export interface Source {
  read(into: Uint8Array): Promise<number>;
}

/**
 * What a file should contain; `pieces` can be iterated again. A piece is valid only until the next
 * one.
 */
export interface Content {
  /** In bytes. */
  readonly size: number;
  pieces(): Iterable<Uint8Array>;
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

/** A destination for bytes. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
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

/** Writes all content at the file's position, and returns the hash of what was written. */
export async function writeContent(file: Sink, content: Content): Promise<string> {
  const hash = createHash("sha256");
  for (const piece of content.pieces()) {
    const writing = writeAll(file, piece);
    hash.update(piece); // hash while the system writes
    await writing;
  }
  return hash.digest("hex");
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function writeAll(file: Sink, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
}

/**
 * Reads a file from its position to the end, or until it exceeds `maxBytes`; `size` is the expected
 * size.
 */
export async function readAll(
  file: Source,
  size: number,
  maxBytes: number,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(size + 1); // one more, to detect the end without growing
  let length = 0;
  while (true) {
    const read = await file.read(bytes.subarray(length));
    if (read === 0 || length + read > maxBytes) return bytes.subarray(0, length + read);
    length += read;
    if (length === bytes.length) bytes = grown(bytes);
  }
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}
