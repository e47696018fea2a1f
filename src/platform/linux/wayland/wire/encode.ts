/**
 * Encodes requests of the Wayland protocol ("Wire Format" in its documentation): words of four bytes
 * in the order of this computer, which is little-endian on every system that we run on.
 */

import { type Argument, FIXED_UNIT, padded, type WireValue } from "./arguments.ts";

/** The length of a message is a number of 16 bits. */
const MAX_MESSAGE_BYTES = 0xffff;
const HEADER_BYTES = 8;

export interface EncodedMessage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly files: readonly number[];
}

/**
 * @param object its number
 * @param opcode the place of the request in its interface
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
  if (type === "fd") return 0; // it travels beside the bytes
  if (type !== "string" && type !== "array") return 4;
  return 4 + padded((value as Uint8Array | undefined)?.length ?? 0);
}

/** @throws TypeError for a text that would end at a NUL within it. */
function cString(text: WireValue): Uint8Array | undefined {
  if (text === undefined) return undefined;
  if (String(text).includes("\0")) throw new TypeError("A Wayland text cannot contain NUL");
  return new TextEncoder().encode(`${text}\0`);
}
