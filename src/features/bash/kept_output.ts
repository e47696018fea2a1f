/**
 * The output of one process as text: returns any part that is kept, without splitting a character.
 */

import { type Bounds, KeptBytes } from "./kept_bytes.ts";
import { countInside, countLeftover, countUnfinished, decode, decodeInTurns } from "./utf8.ts";

export interface Part {
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
    return { text: bytes.map(decode).join(""), ...part };
  }

  /** Like {@link read}, but lets other tasks run while it decodes a large part. */
  async readInTurns(offset: number): Promise<Part> {
    const { bytes, ...part } = this.#cutOut(offset);
    let text = "";
    for (const each of bytes) text += await decodeInTurns(each);
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
