/**
 * Messages of D-Bus as bytes. The library encodes and decodes values; descriptors (type `h`), which
 * it does not know, travel as indexes into the files of a message.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol
 */

import { Buffer } from "node:buffer";

/** Numbers of the specification. */
export const MESSAGE_TYPE = { call: 1, reply: 2, error: 3, signal: 4 } as const;
export const NO_REPLY_EXPECTED = 1;
/** No message of a desktop is near it; the specification allows 128 MiB. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const LITTLE_ENDIAN = 0x6c;
const PROTOCOL_VERSION = 1;
/** Endianness, type, flags, version, length of the body, serial, length of the fields. */
const FIXED_BYTES = 16;

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
} as const;
const NAMES = Object.entries(FIELDS).reduce<string[]>((names, [name, [code]]) => {
  names[code] = name;
  return names;
}, []);

/** The header fields of a message that are present. */
export interface Fields {
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

export interface Outgoing extends Fields {
  readonly type: number;
  readonly flags: number;
  readonly serial: number;
  /** In the format of {@link BusCall}. */
  readonly body: readonly unknown[];
}

export interface Incoming extends Fields {
  readonly type: number;
  readonly flags: number;
  readonly serial: number;
  /** In the format of {@link BusReply}. */
  readonly body: readonly unknown[];
}

export interface WireFormat {
  /** @throws when a value does not fit its type. */
  encode(message: Outgoing): Uint8Array<ArrayBuffer>;
  /** @throws when the message is damaged. */
  decode(bytes: Uint8Array<ArrayBuffer>): Incoming;
}

type Marshall = (signature: string, body: readonly unknown[]) => Uint8Array;

/** The part of the library's reader that is used and extended. */
interface Reader {
  pos: number;
  read(signature: string): unknown[];
  readTree(tree: Tree): unknown;
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
  const headers = new Headers(marshall.default as unknown as Marshall);
  return {
    encode: (message) => headers.encode(message),
    decode: (bytes) => decode(bytes, Extended),
  };
}

/** The length of the message that starts here; of its fixed part, while that is incomplete. */
export function messageLength(bytes: Uint8Array<ArrayBuffer>): number {
  if (bytes.length < FIXED_BYTES) return FIXED_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const little = bytes[0] === LITTLE_ENDIAN;
  return padded(FIXED_BYTES + view.getUint32(12, little)) + view.getUint32(4, little);
}

/** Keeps the encoded fields of the last call of each kind: input sends the same ones again and again. */
class Headers {
  readonly #known = new Map<string, Uint8Array>();

  constructor(private readonly marshall: Marshall) {}

  encode(message: Outgoing): Uint8Array<ArrayBuffer> {
    const { type, flags, serial, signature = "", body } = message;
    const content = signature === "" ? new Uint8Array() : this.marshall(asIndexes(signature), body);
    const header = this.#header(message);
    const bytes = new Uint8Array(header.length + content.length);
    bytes.set(header);
    bytes.set(content, header.length);
    bytes.set([LITTLE_ENDIAN, type, flags, PROTOCOL_VERSION]);
    const view = new DataView(bytes.buffer);
    view.setUint32(4, content.length, true);
    view.setUint32(8, serial, true);
    return bytes;
  }

  #header(message: Outgoing): Uint8Array {
    const fields = fieldsOf(message);
    const key = JSON.stringify(fields);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const encoded = this.marshall("yyyyuua(yv)", [0, 0, 0, 0, 0, 0, fields]);
    const header = new Uint8Array(padded(encoded.length));
    header.set(encoded);
    if (message.type !== MESSAGE_TYPE.call) return header;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, header);
    return header;
  }
}

const MAX_KNOWN = 100;

function fieldsOf(message: Fields): [number, [string, unknown]][] {
  return Object.entries(FIELDS).flatMap(([name, [code, type]]) => {
    const value = message[name as keyof Fields];
    return value ? [[code, [type, value]] as [number, [string, unknown]]] : [];
  });
}

function decode(bytes: Uint8Array<ArrayBuffer>, Extended: ReaderClass): Incoming {
  const littleEndian = bytes[0] === LITTLE_ENDIAN;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader = new Extended(buffer, 0, { littleEndian });
  const [, type, flags, , , serial, list] = reader.read("yyyyuua(yv)") as number[] & {
    6: [number, unknown][];
  };
  const fields: Record<string, unknown> = {};
  for (const [code, value] of list) if (NAMES[code]) fields[NAMES[code]] = value;
  reader.pos = padded(reader.pos);
  const { signature = "" } = fields as Fields;
  const body = signature === "" ? [] : reader.read(asIndexes(signature));
  return { ...fields, type: type!, flags: flags!, serial: serial!, body };
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

function padded(length: number): number {
  return (length + 7) & ~7;
}
