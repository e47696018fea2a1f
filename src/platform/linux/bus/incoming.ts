/**
 * Cuts the stream of a bus into messages, each with the files that came with it. A message that is
 * too long is passed over: whoever sends it must not end the connection for everybody else.
 */

import { joinBytes } from "../../../core/bytes.ts";
import { type Incoming, MAX_MESSAGE_BYTES, messageEnds, type WireFormat } from "./wire_format.ts";

export interface Received {
  readonly message: Incoming;
  /** Descriptors, which the taker closes. */
  readonly files: number[];
  /** Whether it is passed over, and has no body. */
  readonly isTooLong: boolean;
}

/** Of a message that is too long, a longer head is passed over too. */
const MAX_HEAD_BYTES = 64 * 1024;

export class IncomingMessages {
  /** What belongs to no complete message yet. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** How many bytes make the next message complete, as far as that is known. */
  #wanted = 0;
  /** Bytes that are still to come of a message that is passed over. */
  #left = 0;
  readonly #files: number[] = [];

  constructor(
    private readonly format: WireFormat,
    private readonly maxBytes = MAX_MESSAGE_BYTES,
  ) {}

  /**
   * Adds what was received and takes the messages that are now complete, one by one.
   * @throws when a message is damaged, or lacks a descriptor that it announces.
   */
  *add(bytes: Uint8Array, files: readonly number[]): Generator<Received> {
    this.#files.push(...files);
    const fresh = this.#passOver(bytes);
    this.#parts.push(fresh);
    this.#size += fresh.length;
    if (this.#size < this.#wanted) return;
    let remaining = joinBytes(this.#parts);
    for (;;) {
      const { head, length } = messageEnds(remaining);
      const isTooLong = length > this.maxBytes;
      this.#wanted = isTooLong ? Math.min(head, MAX_HEAD_BYTES) : length;
      if (remaining.length < this.#wanted) break;
      if (!isTooLong) {
        yield { ...this.#take(remaining.subarray(0, length)), isTooLong };
        remaining = remaining.subarray(length);
        continue;
      }
      const files = this.#files.splice(0); // they come with its first byte
      const message = head <= MAX_HEAD_BYTES
        ? this.format.decode(remaining.subarray(0, head))
        : undefined;
      this.#left = length;
      remaining = this.#passOver(remaining);
      yield { message: message ?? NO_MESSAGE, files, isTooLong };
    }
    this.#parts = [remaining.slice()];
    this.#size = remaining.length;
  }

  /** The descriptors that no message has taken. */
  takeRemaining(): number[] {
    return this.#files.splice(0);
  }

  /** What follows the message that is passed over. */
  #passOver<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
    const dropped = Math.min(this.#left, bytes.length);
    this.#left -= dropped;
    return bytes.subarray(dropped) as Bytes;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): Omit<Received, "isTooLong"> {
    const message = this.format.decode(bytes);
    const { fileCount = 0 } = message;
    if (fileCount > this.#files.length) {
      throw new Error("a message arrived without its descriptors");
    }
    return { message, files: this.#files.splice(0, fileCount) };
  }
}

const NO_MESSAGE: Incoming = {
  type: 0,
  flags: 0,
  serial: 0,
  size: 0,
  types: "",
  readBody: () => [],
};
