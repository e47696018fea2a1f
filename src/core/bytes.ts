/** Bytes that come in parts: counted, joined, read and written completely, and padded. */

/** How many bytes the parts have together. */
export function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** A copy of all parts, one after the other. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(countBytes(parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Joins bytes that come in parts to blocks of one size. */
export class Blocks {
  readonly #block: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(size: number) {
    this.#block = new Uint8Array(size);
  }

  /** The blocks that are full with this part; each reuses the memory of the one before. */
  *add(part: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    const size = this.#block.length;
    for (let at = 0; at < part.length;) {
      const taken = part.subarray(at, at + size - this.#length);
      this.#block.set(taken, this.#length);
      this.#length += taken.length;
      at += taken.length;
      if (this.#length < size) continue;
      yield this.#block;
      this.#length = 0;
    }
  }

  /** What no block has yet. */
  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    if (this.#length > 0) yield this.#block.subarray(0, this.#length);
  }
}

/** A file or a connection, which may take only a part of the bytes at a time. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes until everything has been taken. */
export async function writeAll(to: ByteSink, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await to.write(bytes.subarray(done));
}

/** A source of bytes; the end is 0 or `null`. */
interface ByteSource {
  read(into: Uint8Array): Promise<number | null>;
}

/**
 * Reads a file from its position to the end, or until it exceeds `maxBytes`; `size` is the expected
 * size.
 */
export async function readAll(
  file: ByteSource,
  size: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(size + 1); // one more, to detect the end without growing
  let length = 0;
  while (true) {
    const read = await file.read(bytes.subarray(length)) ?? 0;
    if (read === 0 || length + read > maxBytes) return bytes.subarray(0, length + read);
    length += read;
    if (length === bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(2 * length));
  }
}

/** The next multiple of `unit`, such as the boundary to which a format pads its fields. */
export function roundUp(length: number, unit: number): number {
  return Math.ceil(length / unit) * unit;
}
