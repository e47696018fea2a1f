/**
 * The output of one process as text: returns any part that is kept, without splitting a character.
 */

import { tryTo } from "../../core/errors.ts";
import {
  countUnfinished,
  decodeText,
  isContinuation,
  LONGEST_CHARACTER,
  sequenceLength,
} from "../../core/texts.ts";

interface Part {
  readonly text: string;
  /** Where the next read continues, in bytes of the whole output. */
  readonly nextOffset: number;
  /** Whether bytes within the part have been dropped, or output after it could not be read. */
  readonly truncated: boolean;
}

interface Cut extends Omit<Part, "text"> {
  readonly bytes: readonly Uint8Array[];
}

/** The longest UTF-8 character less one byte: how many bytes to inspect on each side of a cut. */
const MARGIN = 3;

export class KeptOutput {
  #bytes: KeptBytes;
  /** The total at the time when all bytes were dropped. */
  #dropped: number | undefined;
  #complete = false;
  #cut = false;

  constructor(bounds: Bounds) {
    this.#bytes = new KeptBytes(bounds);
  }

  /** Bytes received so far. */
  get total(): number {
    return this.#dropped ?? this.#bytes.total;
  }

  /** Memory in use, in bytes. */
  get memoryBytes(): number {
    return this.#bytes.memoryBytes;
  }

  append(bytes: Uint8Array): void {
    this.#bytes.append(bytes);
  }

  /** Marks the end of the output: an incomplete character at the end stays incomplete. */
  complete(): void {
    this.#complete = true;
    this.#bytes.trim();
  }

  /** Drops all kept bytes. */
  drop(): void {
    this.#dropped = this.total;
    this.#bytes = new KeptBytes({ headBytes: 0, tailBytes: 0 });
  }

  /** Records that further output may have been lost. */
  cut(): void {
    this.#cut = true;
  }

  /** Offset at which a read would end now. */
  get readableEnd(): number {
    const { total } = this;
    if (this.#complete || this.#dropped !== undefined) return total;
    const start = Math.max(total - MARGIN, this.#hasGap ? this.#bytes.tailStart : 0);
    return total - countUnfinished(this.#bytes.slice(start, total));
  }

  /** The kept output from `offset` on. */
  read(offset: number): Part {
    const { bytes, ...part } = this.#cutOut(offset);
    return { text: bytes.map((each) => decoder.decode(each)).join(""), ...part };
  }

  /** Like {@link read}, but lets other tasks run while it decodes a large part. */
  async readYielding(offset: number): Promise<Part> {
    const { bytes, ...part } = this.#cutOut(offset);
    let text = "";
    for (const each of bytes) text += await decodeText(each);
    return { text, ...part };
  }

  /** The bytes of complete characters, which later output cannot change. */
  #cutOut(offset: number): Cut {
    const { headEnd, tailStart } = this.#bytes;
    const nextOffset = this.readableEnd;
    if (this.#dropped) return { bytes: [], nextOffset, truncated: true };
    if (offset >= nextOffset) return { bytes: [], nextOffset, truncated: this.#cut };
    if (!this.#hasGap || offset >= tailStart) {
      return { bytes: [this.#part(offset, nextOffset)], nextOffset, truncated: this.#cut };
    }
    const head = offset < headEnd ? [this.#head(offset)] : [];
    return { bytes: [...head, this.#tail(nextOffset)], nextOffset, truncated: true };
  }

  /** At most the last `bytes` bytes. */
  readEnd(bytes: number): Part {
    const start = Math.max(0, this.readableEnd - bytes);
    const part = this.read(this.#hasGap ? Math.max(start, this.#bytes.tailStart) : start);
    return { ...part, truncated: start > 0 || part.truncated };
  }

  get #hasGap(): boolean {
    return this.#bytes.tailStart > this.#bytes.headEnd;
  }

  /** From any offset to the end; a character that begins before `offset` is left out. */
  #part(offset: number, end: number): Uint8Array {
    const first = this.#hasGap ? this.#bytes.tailStart : 0;
    const before = Math.min(MARGIN, offset - first);
    const bytes = this.#bytes.slice(offset - before, end);
    return bytes.subarray(before + countInside(bytes, before));
  }

  /** Up to the gap; an incomplete character before it is left out. */
  #head(offset: number): Uint8Array {
    const { headEnd } = this.#bytes;
    const before = Math.min(MARGIN, offset);
    const bytes = this.#bytes.slice(offset - before, headEnd);
    const whole = bytes.subarray(0, bytes.length - countUnfinished(bytes));
    return whole.subarray(before + countInside(bytes, before));
  }

  /** From the gap on; the remaining bytes of a character that began inside it are left out. */
  #tail(end: number): Uint8Array {
    const bytes = this.#bytes.slice(this.#bytes.tailStart, end);
    return bytes.subarray(countLeftover(bytes));
  }
}

// Finds where the characters of UTF-8 text begin and end, so that none is split.

/** Invalid UTF-8 becomes U+FFFD. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });
/** Number of bytes from `at` on that belong to a character which begins before `at`. */
function countInside(bytes: Uint8Array, at: number): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= at; back++) {
    const byte = bytes[at - back]!;
    if (isContinuation(byte)) continue;
    const end = at - back + sequenceLength(byte);
    return end > at && isCharacter(bytes.subarray(at - back, end)) ? end - at : 0;
  }
  return 0;
}

/** Number of bytes at the start that can only be the end of a character. */
function countLeftover(bytes: Uint8Array): number {
  let count = 0;
  while (count < LONGEST_CHARACTER - 1 && count < bytes.length && isContinuation(bytes[count]!)) {
    count++;
  }
  return count;
}

function isCharacter(bytes: Uint8Array): boolean {
  return tryTo(() => [...strict.decode(bytes)].length) === 1;
}

// Keeps the first and the last bytes of a stream, within a bound that does not depend on its
// length.

interface Bounds {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const FIRST_CAPACITY = 1_024;

class KeptBytes {
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
