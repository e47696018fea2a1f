/** Keeps the first and the last bytes of a stream within a bound, however long it gets. */

export interface Bounds {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const FIRST_CAPACITY = 1_024;

export class KeptBytes {
  #total = 0;
  #head = new Uint8Array(0);
  /** From its full size on a ring: the byte at offset o is at (o - headBytes) % tailBytes. */
  #tail = new Uint8Array(0);

  constructor(private readonly bounds: Bounds) {}

  /** How many bytes there have been. */
  get total(): number {
    return this.#total;
  }

  /** Where the kept head ends. */
  get headEnd(): number {
    return Math.min(this.#total, this.bounds.headBytes);
  }

  /** Where the kept tail begins; the head's end when nothing is gone. */
  get tailStart(): number {
    return Math.max(this.headEnd, this.#total - this.bounds.tailBytes);
  }

  /** How much memory it takes. */
  get memoryBytes(): number {
    return this.#head.length + this.#tail.length;
  }

  /** Nothing will follow: gives back what was set aside for more. */
  trim(): void {
    const { headBytes, tailBytes } = this.bounds;
    this.#head = this.#head.slice(0, this.headEnd);
    this.#tail = this.#tail.slice(0, Math.min(tailBytes, Math.max(0, this.#total - headBytes)));
  }

  /** Takes a copy. */
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

  /** The kept bytes from `from` to `to`, which must lie in the head or in the tail, or where the two meet. */
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

/** The buffer, or a larger copy that holds `needed` bytes, as far as `max` allows. */
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
