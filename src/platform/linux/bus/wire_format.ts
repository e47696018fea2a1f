/**
 * Messages of D-Bus as bytes. The library encodes and decodes values; descriptors (type `h`), which
 * it does not know, travel as indexes into the files of a message.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol
 */

import { Buffer } from "node:buffer";
import { joinBytes, roundUp } from "../../../core/bytes.ts";

/** Numbers of the specification. */
export const MESSAGE_TYPE = { call: 1, reply: 2, error: 3, signal: 4 } as const;
export const NO_REPLY_EXPECTED = 1;
/** No message of a desktop is near it; the specification allows 128 MiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const LITTLE_ENDIAN = 0x6c;
const PROTOCOL_VERSION = 1;
/** The body, and each field of the head, begins at a multiple of this. */
const ALIGNMENT = 8;

interface Head extends Fields {
  readonly type: number;
  readonly flags: number;
  readonly serial: number;
}

export interface Outgoing extends Head {
  /** In the format of {@link BusCall}. */
  readonly body: readonly unknown[];
}

export interface Incoming extends Head {
  /** Bytes of the message. */
  readonly size: number;
  /** The types of the body; with that of its value where it is one variant: `v:s`. */
  readonly types: string;
  /**
   * In the format of {@link BusReply}. It is read on demand, because values take many times the
   * memory of the message: read it only where somebody wants it.
   * @throws when it is damaged
   */
  readBody(): readonly unknown[];
}

export interface WireFormat {
  /** @throws when a value does not fit its type. */
  encode(message: Outgoing): Uint8Array<ArrayBuffer>;
  /** @throws when the head of the message is damaged. */
  decode(bytes: Uint8Array<ArrayBuffer>): Incoming;
}

type Marshall = (signature: string, body: readonly unknown[]) => Uint8Array;

/** The part of the library's reader that is used and extended. */
interface Reader {
  pos: number;
  read(signature: string): unknown[];
  readArray(element: Tree, bytes: number): unknown;
  readVariant(): unknown;
  readSimpleType(type: string): unknown;
}
type ReaderClass = new (
  bytes: Uint8Array,
  start: number,
  options: { littleEndian: boolean },
) => Reader;
interface Tree {
  readonly type: string;
  readonly child: readonly Tree[];
}

/** Loads the library, at the first use. */
export async function loadWireFormat(): Promise<WireFormat> {
  const [marshall, reader] = await Promise.all([
    import("@homebridge/dbus-native/lib/marshall.js"),
    import("@homebridge/dbus-native/lib/dbus-buffer.js"),
  ]);
  const Extended = extendReader(reader.default as unknown as ReaderClass);
  const marshallBody = marshall.default as unknown as Marshall;
  return {
    encode: (message) => encode(message, marshallBody),
    decode: (bytes) => decode(bytes, Extended),
  };
}

/** The lengths of the head of the message that starts here and of it all; of its fixed part, while that is incomplete. */
function messageEnds(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly head: number; readonly length: number } {
  if (bytes.length < FIXED_BYTES) return { head: FIXED_BYTES, length: FIXED_BYTES };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const little = bytes[0] === LITTLE_ENDIAN;
  const head = roundUp(FIXED_BYTES + view.getUint32(12, little), ALIGNMENT);
  return { head, length: head + view.getUint32(4, little) };
}

function encode(message: Outgoing, marshall: Marshall): Uint8Array<ArrayBuffer> {
  const { type, flags, serial, signature = "", body } = message;
  const content = signature === "" ? NO_BODY : encodeBody(signature, body, marshall);
  const header = encodeFields(message);
  const bytes = new Uint8Array(header.length + content.length);
  bytes.set(header);
  bytes.set(content, header.length);
  bytes[0] = LITTLE_ENDIAN;
  bytes[1] = type;
  bytes[2] = flags;
  bytes[3] = PROTOCOL_VERSION;
  const view = new DataView(bytes.buffer);
  view.setUint32(4, content.length, true);
  view.setUint32(8, serial, true);
  return bytes;
}

const NO_BODY = new Uint8Array();
const encoder = new TextEncoder();

/** The bodies of most calls by hand: the library takes 20 times as long. */
function encodeBody(signature: string, body: readonly unknown[], marshall: Marshall): Uint8Array {
  if (/^[iu]+$/.test(signature) && body.length === signature.length) {
    const bytes = new Uint8Array(4 * body.length);
    const view = new DataView(bytes.buffer);
    const fits = body.every((value, index) => {
      view.setInt32(4 * index, Number(value), true);
      const now = signature[index] === "i"
        ? view.getInt32(4 * index, true)
        : view.getUint32(4 * index, true);
      return now === value;
    });
    if (fits) return bytes;
  }
  if (/^s+$/.test(signature) && body.length === signature.length) {
    if (body.every((value) => typeof value === "string" && !value.includes("\0"))) {
      return encodeTexts(body as readonly string[]);
    }
  }
  return marshall(asIndexes(signature), body); // it says what does not fit
}

function encodeTexts(texts: readonly string[]): Uint8Array {
  const room = texts.reduce((sum, text) => sum + 8 + 3 * text.length, 0);
  const bytes = new Uint8Array(room);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const text of texts) {
    at = (at + 3) & ~3;
    const { written } = encoder.encodeInto(text, bytes.subarray(at + 4));
    view.setUint32(at, written, true);
    at += written + 5;
  }
  return bytes.subarray(0, at);
}

function decode(bytes: Uint8Array<ArrayBuffer>, Extended: ReaderClass): Incoming {
  const littleEndian = bytes[0] === LITTLE_ENDIAN;
  const { fields, end, ...numbers } = decodeHeader(bytes, littleEndian);
  const { signature = "" } = fields;
  const readBody = () => {
    if (signature === "") return [];
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const reader = new Extended(buffer, 0, { littleEndian });
    reader.pos = end;
    return reader.read(asIndexes(signature));
  };
  const types = signature === "v" ? `v:${readSignature(bytes, end)}` : signature;
  return { ...fields, ...numbers, size: bytes.length, types, readBody };
}

/** A length of one byte, and the types. */
function readSignature(bytes: Uint8Array<ArrayBuffer>, at: number): string {
  return new TextDecoder().decode(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
}

/** The library's reader with plain values: no types around variants, dictionaries as objects. */
function extendReader(Library: ReaderClass): ReaderClass {
  return class extends Library {
    override readVariant(): unknown {
      const [, [value]] = super.readVariant() as [unknown, [unknown]];
      return value;
    }

    override readArray(element: Tree, bytes: number): unknown {
      const values = super.readArray(element, bytes);
      return element.type === "{" ? Object.fromEntries(values as [string, unknown][]) : values;
    }

    override readSimpleType(type: string): unknown {
      return super.readSimpleType(type === "h" ? "u" : type);
    }
  };
}

/** A descriptor is encoded as the index of a file. */
function asIndexes(signature: string): string {
  return signature.replaceAll("h", "u");
}

// The headers of messages as bytes, by hand: a snapshot of a large page sends and receives some
// 20,000 messages whose bodies are tiny, and the library takes 100 µs for a header, this takes 2.
// https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages

/** The header fields of a message that are present. */
interface Fields {
  path?: string;
  interface?: string;
  member?: string;
  errorName?: string;
  replySerial?: number;
  destination?: string;
  sender?: string;
  signature?: string;
  fileCount?: number;
}

/** Header field -> its code and its type. */
const FIELDS = {
  path: [1, "o"],
  interface: [2, "s"],
  member: [3, "s"],
  errorName: [4, "s"],
  replySerial: [5, "u"],
  destination: [6, "s"],
  sender: [7, "s"],
  signature: [8, "g"],
  fileCount: [9, "u"],
} as const satisfies Record<keyof Fields, readonly [number, string]>;

const ENTRIES = Object.entries(FIELDS) as [keyof Fields, readonly [number, string]][];
const NAMES = ENTRIES.reduce<(keyof Fields)[]>((names, [name, [code]]) => {
  names[code] = name;
  return names;
}, []);

/** Endianness, type, flags, version, length of the body, serial, length of the fields. */
const FIXED_BYTES = 16;
/** The most that a field needs besides its text: padding, code, type, length and zeros. */
const FIELD_BYTES = 20;
const decoder = new TextDecoder();

/** The header, padded, with zeros where the fixed part stands. */
function encodeFields(fields: Fields): Uint8Array<ArrayBuffer> {
  const present = ENTRIES.filter(([name]) => fields[name]);
  const room = present.reduce((sum, [name]) => sum + FIELD_BYTES + 3 * textLength(fields[name]), 0);
  const bytes = new Uint8Array(roundUp(FIXED_BYTES + room, ALIGNMENT));
  const view = new DataView(bytes.buffer);
  let at = FIXED_BYTES;
  for (const [name, [code, type]] of present) {
    const value = fields[name]!;
    at = roundUp(at, ALIGNMENT);
    bytes[at] = code;
    bytes[at + 1] = 1; // the length of the type
    bytes[at + 2] = type.charCodeAt(0);
    at += 4;
    if (typeof value === "number") {
      view.setUint32(at, value, true);
      at += 4;
    } else if (type === "g") {
      const { written } = encoder.encodeInto(value, bytes.subarray(at + 1));
      bytes[at] = written;
      at += written + 2;
    } else {
      const { written } = encoder.encodeInto(value, bytes.subarray(at + 4));
      view.setUint32(at, written, true);
      at += written + 5;
    }
  }
  view.setUint32(12, at - FIXED_BYTES, true);
  return bytes.subarray(0, roundUp(at, ALIGNMENT));
}

function textLength(value: string | number | undefined): number {
  return typeof value === "string" ? value.length : 0;
}

/** @throws when the header is damaged, or has a field of a type that the specification does not give it. */
function decodeHeader(bytes: Uint8Array<ArrayBuffer>, littleEndian: boolean) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = FIXED_BYTES + view.getUint32(12, littleEndian);
  const fields: Record<string, string | number> = {};
  let at = FIXED_BYTES;
  const take = (length: number) => {
    const text = decoder.decode(bytes.subarray(at, at + length));
    at += length + 1;
    return text;
  };
  while (at < end) {
    at = roundUp(at, ALIGNMENT);
    const code = view.getUint8(at);
    const type = String.fromCharCode(view.getUint8(at + 2));
    if (view.getUint8(at + 1) !== 1) {
      throw new Error("a field of a header has a type of many parts");
    }
    at += 4;
    let value: string | number;
    if (type === "g") {
      at += 1;
      value = take(view.getUint8(at - 1));
    } else {
      if (!"sou".includes(type)) throw new Error(`a field of a header has the type "${type}"`);
      const number = view.getUint32(at, littleEndian);
      at += 4;
      value = type === "u" ? number : take(number);
    }
    const name = NAMES[code];
    if (name !== undefined && FIELDS[name][1] === type) fields[name] = value;
  }
  if (at !== end) throw new Error("the fields of a header do not end where they should");
  const [type, flags] = [view.getUint8(1), view.getUint8(2)];
  return {
    type,
    flags,
    serial: view.getUint32(8, littleEndian),
    fields: fields as Fields,
    end: roundUp(end, ALIGNMENT), // where the body starts
  };
}

// Cuts the stream of a bus into messages, each with the files that came with it. A message that is
// too long is passed over: whoever sends it must not end the connection for everybody else.

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
