/** Bytes on their way into a file, in pieces, and how they are written. */

import { createHash } from "node:crypto";

/** What a file shall hold; `pieces` can be asked for again. A piece is valid only until the next one. */
export interface Content {
  /** In bytes. */
  readonly size: number;
  pieces(): Iterable<Uint8Array>;
}

/** Content that is in memory as one. */
export function contentOf(bytes: Uint8Array): Content {
  return { size: bytes.length, pieces: () => [bytes] };
}

/** Writes all of it at the file's position, and gives the hash of what was written. */
export async function writeContent(file: Deno.FsFile, content: Content): Promise<string> {
  const hash = createHash("sha256");
  for (const piece of content.pieces()) {
    const writing = writeAll(file, piece);
    hash.update(piece); // while the system writes
    await writing;
  }
  return hash.digest("hex");
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
}

/** Reads a file from its position to its end; `size` is what is expected. */
export async function readAll(file: Deno.FsFile, size: number): Promise<Uint8Array> {
  let bytes = new Uint8Array(size + 1); // one more, so that the end shows without growing
  let length = 0;
  while (true) {
    const read = await file.read(bytes.subarray(length));
    if (read === null) return bytes.subarray(0, length);
    length += read;
    if (length === bytes.length) bytes = grown(bytes);
  }
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}
