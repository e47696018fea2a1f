/** Cuts the stream of a bus into messages, each with the files that came with it. */

import { type Incoming, MAX_MESSAGE_BYTES, messageLength, type WireFormat } from "./wire_format.ts";

export interface Received {
  readonly message: Incoming;
  /** Descriptors, which the taker closes. */
  readonly files: number[];
}

export class IncomingMessages {
  /** What belongs to no complete message yet. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** How many bytes make the next message complete, as far as that is known. */
  #wanted = 0;
  readonly #files: number[] = [];

  constructor(
    private readonly format: WireFormat,
    private readonly maxBytes = MAX_MESSAGE_BYTES,
  ) {}

  /**
   * Adds what was received and takes the messages that are now complete, one by one.
   * @throws when a message is damaged, too long, or lacks a descriptor that it announces.
   */
  *add(bytes: Uint8Array, files: readonly number[]): Generator<Received> {
    this.#files.push(...files);
    this.#parts.push(bytes);
    this.#size += bytes.length;
    if (this.#size < this.#wanted) return;
    const all = joined(this.#parts, this.#size);
    let at = 0;
    let length: number;
    for (; (length = this.#lengthOf(all.subarray(at))) <= all.length - at; at += length) {
      yield this.#take(all.subarray(at, at + length));
    }
    this.#parts = [all.slice(at)];
    this.#size = all.length - at;
    this.#wanted = length;
  }

  /** The descriptors that no message has taken. */
  takeRest(): number[] {
    return this.#files.splice(0);
  }

  /** The length of the message that starts here; of its head, while that is incomplete. */
  #lengthOf(bytes: Uint8Array<ArrayBuffer>): number {
    const length = messageLength(bytes);
    if (length > this.maxBytes) throw new Error("a message is too long");
    return length;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): Received {
    const message = this.format.decode(bytes);
    const { fileCount = 0 } = message;
    if (fileCount > this.#files.length) throw new Error("a message came without its descriptors");
    return { message, files: this.#files.splice(0, fileCount) };
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
