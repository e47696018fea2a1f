/** The output of one process as text: any part of what is kept, without cutting a character. */

import { type Bounds, KeptBytes } from "./kept_bytes.ts";
import { countInside, countLeftover, countUnfinished, decode, decodeInTurns } from "./utf8.ts";

export interface Part {
  readonly text: string;
  /** Where the next read goes on, in bytes of the whole output. */
  readonly nextOffset: number;
  /** Whether something between the start of the part and its end is gone, or something after it was not read. */
  readonly truncated: boolean;
}

interface Cut extends Omit<Part, "text"> {
  readonly bytes: readonly Uint8Array[];
}

/** The longest character, less one byte: what must be seen before and after a cut. */
const MARGIN = 3;

export class KeptOutput {
  #bytes: KeptBytes;
  /** How many bytes there had been when all of them were dropped. */
  #dropped: number | undefined;
  #complete = false;
  #cut = false;

  constructor(bounds: Bounds) {
    this.#bytes = new KeptBytes(bounds);
  }

  /** How many bytes there have been. */
  get total(): number {
    return this.#dropped ?? this.#bytes.total;
  }

  /** How much memory it takes. */
  get memoryBytes(): number {
    return this.#bytes.memoryBytes;
  }

  append(bytes: Uint8Array): void {
    this.#bytes.append(bytes);
  }

  /** Nothing will follow: what looks like half a character is none. */
  complete(): void {
    this.#complete = true;
    this.#bytes.trim();
  }

  /** Gives up what was kept. */
  drop(): void {
    this.#dropped = this.total;
    this.#bytes = new KeptBytes({ headBytes: 0, tailBytes: 0 });
  }

  /** Something may have followed that was not read. */
  cut(): void {
    this.#cut = true;
  }

  /** Where a read would end now. */
  get readableEnd(): number {
    const { total } = this;
    if (this.#complete || this.#dropped !== undefined) return total;
    const start = Math.max(total - MARGIN, this.#hasGap ? this.#bytes.tailStart : 0);
    return total - countUnfinished(this.#bytes.slice(start, total));
  }

  /** What is kept from `offset` on. */
  read(offset: number): Part {
    const { bytes, ...part } = this.#cutOut(offset);
    return { text: bytes.map(decode).join(""), ...part };
  }

  /** As {@link read}; others have their turns while much of it is decoded. */
  async readInTurns(offset: number): Promise<Part> {
    const { bytes, ...part } = this.#cutOut(offset);
    let text = "";
    for (const each of bytes) text += await decodeInTurns(each);
    return { text, ...part };
  }

  /** The bytes of whole characters, which stay as they are whatever comes. */
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

  /** The last `bytes` bytes or less. */
  readEnd(bytes: number): Part {
    const start = Math.max(0, this.readableEnd - bytes);
    const part = this.read(this.#hasGap ? Math.max(start, this.#bytes.tailStart) : start);
    return { ...part, truncated: start > 0 || part.truncated };
  }

  get #hasGap(): boolean {
    return this.#bytes.tailStart > this.#bytes.headEnd;
  }

  /** From anywhere to the end: a character that begins before `offset` is left out. */
  #part(offset: number, end: number): Uint8Array {
    const first = this.#hasGap ? this.#bytes.tailStart : 0;
    const before = Math.min(MARGIN, offset - first);
    const bytes = this.#bytes.slice(offset - before, end);
    return bytes.subarray(before + countInside(bytes, before));
  }

  /** Up to the gap: half a character before it is left out. */
  #head(offset: number): Uint8Array {
    const { headEnd } = this.#bytes;
    const before = Math.min(MARGIN, offset);
    const bytes = this.#bytes.slice(offset - before, headEnd);
    const whole = bytes.subarray(0, bytes.length - countUnfinished(bytes));
    return whole.subarray(before + countInside(bytes, before));
  }

  /** From the gap on: the rest of a character after it is left out. */
  #tail(end: number): Uint8Array {
    const bytes = this.#bytes.slice(this.#bytes.tailStart, end);
    return bytes.subarray(countLeftover(bytes));
  }
}
