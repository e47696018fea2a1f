/**
 * Encodes requests of the Wayland protocol ("Wire Format" in its documentation): words of four bytes
 * in the order of this computer, which is little-endian on every system that we run on.
 */

import { joinBytes, roundUp } from "../../../../core/bytes.ts";

/** The length of a message is a number of 16 bits. */
const MAX_MESSAGE_BYTES = 0xffff;
const HEADER_BYTES = 8;
/** Data on the wire is padded to a multiple of this. */
const WORD_BYTES = 4;

export interface EncodedMessage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly files: readonly number[];
}

/**
 * @param object its number
 * @param opcode the index of the request in its interface
 * @throws RangeError when the message is longer than the protocol allows
 */
export function encodeMessage(
  object: number,
  opcode: number,
  types: readonly Argument[],
  values: readonly WireValue[],
): EncodedMessage {
  const parts = types.map(({ type }, i) => type === "string" ? cString(values[i]) : values[i]);
  const length = types.reduce((sum, { type }, i) => sum + byteLength(type, parts[i]), HEADER_BYTES);
  if (length > MAX_MESSAGE_BYTES) throw new RangeError("The Wayland message is too long");
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, object, true);
  view.setUint32(4, length * 0x10000 + opcode, true);
  const files: number[] = [];
  let at = HEADER_BYTES;
  types.forEach(({ type }, i) => {
    const value = parts[i];
    if (type === "fd") files.push(value as number);
    else if (type === "fixed") view.setInt32(at, Math.round(Number(value) * FIXED_UNIT), true);
    else if (type === "string" || type === "array") {
      const data = value as Uint8Array | undefined;
      view.setUint32(at, data?.length ?? 0, true);
      if (data !== undefined) bytes.set(data, at + 4);
    } else view.setInt32(at, Number(value ?? 0) | 0, true);
    at += byteLength(type, value);
  });
  return { bytes, files };
}

function byteLength(type: Argument["type"], value: WireValue): number {
  if (type === "fd") return 0; // it travels in the control message
  if (type !== "string" && type !== "array") return 4;
  return 4 + roundUp((value as Uint8Array | undefined)?.length ?? 0, WORD_BYTES);
}

/** @throws TypeError for a text that would end at a NUL within it. */
function cString(text: WireValue): Uint8Array | undefined {
  if (text === undefined) return undefined;
  if (String(text).includes("\0")) throw new TypeError("A Wayland text cannot contain NUL");
  return new TextEncoder().encode(`${text}\0`);
}

// Decodes events of the Wayland protocol, and trusts none of their numbers.

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

  push(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): void {
    this.#files.push(...files);
    this.#bytes = this.#bytes.length === 0 ? bytes : joinBytes([this.#bytes, bytes]);
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
  if (words.unread !== 0) throw new DamagedMessageError("a message is longer than its arguments");
  return values.map((value, i) => types[i]!.type === "fd" ? takeFile() : value);
}

class ArgumentReader {
  readonly #view: DataView;
  #at = 0;

  constructor(private readonly body: Uint8Array<ArrayBuffer>) {
    this.#view = new DataView(body.buffer, body.byteOffset, body.length);
  }

  get unread(): number {
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
    const start = this.#skip(roundUp(length, WORD_BYTES));
    return this.body.slice(start, start + length);
  }

  #string(isNullable: boolean): string | undefined {
    const data = this.#data();
    if (data.length === 0 && isNullable) return undefined;
    if (data.at(-1) !== 0) throw new DamagedMessageError("a text without its end");
    return new TextDecoder().decode(data.subarray(0, -1));
  }

  #skip(length: number): number {
    if (length > this.unread) {
      throw new DamagedMessageError("a message is shorter than its arguments");
    }
    const start = this.#at;
    this.#at += length;
    return start;
  }
}

// The arguments of requests and events, as their tables describe them.

export interface Argument {
  readonly type: ArgumentType;
  readonly isNullable: boolean;
  /** The only interface of the object, if there is one. */
  readonly interface: string | undefined;
}

/** On the wire, objects are numbers. */
export type WireValue = number | string | Uint8Array | undefined;

const parsed = new WeakMap<MessageTable, readonly Argument[]>();

export function argumentsOf(message: MessageTable): readonly Argument[] {
  return parsed.getOrInsertComputed(message, ({ args }) => args.map(parseArgument));
}

function parseArgument(text: string): Argument {
  const [, type = "", name] = text.split(":");
  const isNullable = type.startsWith("?");
  const bare = isNullable ? type.slice(1) : type;
  return { type: bare as ArgumentType, isNullable, interface: name };
}

/** Numbers of 24 bits before the point and 8 bits behind it. */
const FIXED_UNIT = 256;

// The form of the protocol tables, which `tools/wayland_protocols.ts` makes from XML files.

export interface InterfaceTable {
  readonly version: number;
  readonly requests: readonly MessageTable[];
  readonly events: readonly MessageTable[];
  /** The names of its protocol errors. */
  readonly errors?: Readonly<Record<string, number>>;
}

/** A request or an event; its index in the list is its number on the wire. */
export interface MessageTable {
  readonly name: string;
  /** The version of the interface that has brought it; 1 if absent. */
  readonly since?: number;
  /** The object ends with it. */
  readonly destructor?: true;
  /**
   * `name:type`, with `:interface` where objects of one interface only are meant, and `?` before the
   * type of what may be absent: `x:int`, `output:?object:wl_output`.
   */
  readonly args: readonly string[];
}

export type ProtocolTable = Readonly<Record<string, InterfaceTable>>;

export type ArgumentType =
  | "int"
  | "uint"
  | "fixed"
  | "string"
  | "object"
  | "new_id"
  | "array"
  | "fd";
