/**
 * Messages of D-Bus as bytes. The library encodes and decodes values; descriptors (type `h`), which
 * it does not know, travel as indexes into the files of a message.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol
 */

import { Buffer } from "node:buffer";
import { decodeHeader, encodeFields, type Fields, FIXED_BYTES, padded } from "./header.ts";

/** Numbers of the specification. */
export const MESSAGE_TYPE = { call: 1, reply: 2, error: 3, signal: 4 } as const;
export const NO_REPLY_EXPECTED = 1;
/** No message of a desktop is near it; the specification allows 128 MiB. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const LITTLE_ENDIAN = 0x6c;
const PROTOCOL_VERSION = 1;
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
  const marshallBody = marshall.default as unknown as Marshall;
  return {
    encode: (message) => encode(message, marshallBody),
    decode: (bytes) => decode(bytes, Extended),
  };
}

/** The lengths of the head of the message that starts here and of it all; of its fixed part, while that is incomplete. */
export function messageEnds(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly head: number; readonly length: number } {
  if (bytes.length < FIXED_BYTES) return { head: FIXED_BYTES, length: FIXED_BYTES };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const little = bytes[0] === LITTLE_ENDIAN;
  const head = padded(FIXED_BYTES + view.getUint32(12, little));
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
