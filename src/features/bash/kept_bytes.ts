/**
 * Keeps the first and the last bytes of a stream, within a bound that does not depend on its
 * length.
 */

export interface Bounds {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const FIRST_CAPACITY = 1_024;

export class KeptBytes {
  #total = 0;
  #head = new Uint8Array(0);
  /** A ring once it has its full size: the byte at offset o is at (o - headBytes) % tailBytes. */
  #tail = new Uint8Array(0);

  constructor(private readonly bounds: Bounds) {}

  /** Bytes received so far. */
  get total(): number {
    return this.#total;
  }

  /** Offset at which the kept head ends. */
  get headEnd(): number {
    return Math.min(this.#total, this.bounds.headBytes);
  }

  /**
   * Offset at which the kept tail begins; equals the end of the head when nothing has been dropped.
   */
  get tailStart(): number {
    return Math.max(this.headEnd, this.#total - this.bounds.tailBytes);
  }

  /** Memory in use, in bytes. */
  get memoryBytes(): number {
    return this.#head.length + this.#tail.length;
  }

  /** Frees the memory that was reserved for further bytes; call it when the stream has ended. */
  trim(): void {
    const { headBytes, tailBytes } = this.bounds;
    this.#head = this.#head.slice(0, this.headEnd);
    this.#tail = this.#tail.slice(0, Math.min(tailBytes, Math.max(0, this.#total - headBytes)));
  }

  /** Copies the bytes. */
  append(bytes: Uint8Array): void {
    const { headBytes } = this.bounds;
    const toHead = Math.max(0, Math.min(bytes.length, headBytes - this.#total));
    if (toHead > 0) {
      this.#head = grown(this.#head, this.#total + toHead, headBytes);
      this.#head.set(bytes.subarray(0, toHead), this.#total);
    }
    if (toHead < bytes.length) this.#appendToTail(bytes.subarray(toHead), this.#total + toHead);
    this.#total += bytes.length;
  }

  /**
   * The kept bytes from `from` to `to`. The range must lie within the head or within the tail,
   * unless the two are adjacent.
   */
  slice(from: number, to: number): Uint8Array {
    const slice = new Uint8Array(Math.max(0, to - from));
    const headPart = this.#head.subarray(from, Math.min(to, this.headEnd));
    slice.set(headPart);
    for (let done = headPart.length; done < slice.length;) {
      const start = this.#indexOf(from + done);
      const part = this.#tail.subarray(start, start + slice.length - done);
      slice.set(part, done);
      done += part.length;
    }
    return slice;
  }

  #appendToTail(bytes: Uint8Array, offset: number): void {
    const { headBytes, tailBytes } = this.bounds;
    this.#tail = grown(this.#tail, offset - headBytes + bytes.length, tailBytes);
    const skipped = Math.max(0, bytes.length - tailBytes);
    for (let done = skipped; done < bytes.length;) {
      const start = this.#indexOf(offset + done);
      const part = bytes.subarray(done, done + this.#tail.length - start);
      this.#tail.set(part, start);
      done += part.length;
    }
  }

  #indexOf(offset: number): number {
    return (offset - this.bounds.headBytes) % this.bounds.tailBytes;
  }
}

/** The buffer, or a larger copy that holds `needed` bytes but is never larger than `max`. */
function grown(
  buffer: Uint8Array<ArrayBuffer>,
  needed: number,
  max: number,
): Uint8Array<ArrayBuffer> {
  if (buffer.length >= Math.min(needed, max)) return buffer;
  const doubled = Math.max(needed, buffer.length * 2, FIRST_CAPACITY);
  const larger = new Uint8Array(Math.min(doubled, max));
  larger.set(buffer);
  return larger;
}
