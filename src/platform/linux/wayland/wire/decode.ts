/** Decodes events of the Wayland protocol, and trusts none of their numbers. */

import { type Argument, FIXED_UNIT, padded, type WireValue } from "./arguments.ts";

const HEADER_BYTES = 8;
/** Descriptors that may wait for their message; compositors send one or two with each. */
const MAX_WAITING_FILES = 512;

export class DamagedMessageError extends Error {
  override name = "DamagedMessageError";
}

export interface WireMessage {
  readonly object: number;
  readonly opcode: number;
  /** The arguments, as they came. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Joins what the socket delivers into messages. */
export class MessageReader {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  readonly #files: number[] = [];

  /** Takes bytes and descriptors over. */
  push(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): void {
    this.#files.push(...files);
    if (this.#bytes.length === 0) {
      this.#bytes = bytes;
      return;
    }
    const joined = new Uint8Array(this.#bytes.length + bytes.length);
    joined.set(this.#bytes);
    joined.set(bytes, this.#bytes.length);
    this.#bytes = joined;
  }

  /**
   * The next complete message.
   * @throws DamagedMessageError when what came cannot be one
   */
  next(): WireMessage | undefined {
    if (this.#files.length > MAX_WAITING_FILES) {
      throw new DamagedMessageError("too many descriptors belong to no message");
    }
    const bytes = this.#bytes;
    if (bytes.length < HEADER_BYTES) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint16(6, true);
    if (length < HEADER_BYTES || length % 4 !== 0) {
      throw new DamagedMessageError(`a message of ${length} bytes`);
    }
    if (bytes.length < length) return undefined;
    this.#bytes = bytes.subarray(length);
    return {
      object: view.getUint32(0, true),
      opcode: view.getUint16(4, true),
      body: bytes.subarray(HEADER_BYTES, length),
    };
  }

  /** @throws DamagedMessageError when none has come */
  takeFile(): number {
    const file = this.#files.shift();
    if (file === undefined) throw new DamagedMessageError("a descriptor is missing");
    return file;
  }

  /** The descriptors that nobody has taken. */
  takeFiles(): number[] {
    return this.#files.splice(0);
  }
}

/**
 * The arguments of a message; objects are numbers, and descriptors the caller's to close.
 * @throws DamagedMessageError before it takes a descriptor for arguments that do not fit the message
 */
export function decodeArguments(
  body: Uint8Array<ArrayBuffer>,
  types: readonly Argument[],
  takeFile: () => number,
): WireValue[] {
  const words = new ArgumentReader(body);
  const values = types.map((each) => each.type === "fd" ? undefined : words.read(each));
  if (words.rest !== 0) throw new DamagedMessageError("a message is longer than its arguments");
  return values.map((value, i) => types[i]!.type === "fd" ? takeFile() : value);
}

class ArgumentReader {
  readonly #view: DataView;
  #at = 0;

  constructor(private readonly body: Uint8Array<ArrayBuffer>) {
    this.#view = new DataView(body.buffer, body.byteOffset, body.length);
  }

  get rest(): number {
    return this.body.length - this.#at;
  }

  read({ type, isNullable }: Argument): WireValue {
    switch (type) {
      case "int":
        return this.#view.getInt32(this.#skip(4), true);
      case "fixed":
        return this.#view.getInt32(this.#skip(4), true) / FIXED_UNIT;
      case "string":
        return this.#string(isNullable);
      case "array":
        return this.#data();
      default: // uint, object, new_id
        return this.#uint();
    }
  }

  #uint(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }

  #data(): Uint8Array {
    const length = this.#uint();
    const start = this.#skip(padded(length));
    return this.body.slice(start, start + length);
  }

  #string(isNullable: boolean): string | undefined {
    const data = this.#data();
    if (data.length === 0 && isNullable) return undefined;
    if (data.at(-1) !== 0) throw new DamagedMessageError("a text without its end");
    return new TextDecoder().decode(data.subarray(0, -1));
  }

  #skip(length: number): number {
    if (length > this.rest) {
      throw new DamagedMessageError("a message is shorter than its arguments");
    }
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
