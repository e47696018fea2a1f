/**
 * Encodes the few requests of {@link Stillness}, and the setup of any connection, as bytes (X Window System Protocol, appendix B;
 * DAMAGE extension 1.1).
 */

import { EVENT_MASK } from "./client.ts";
import type { Cookie } from "./cookie.ts";

const CHANGE_WINDOW_ATTRIBUTES = 2;
const CW_EVENT_MASK = 1 << 11;
const GET_INPUT_FOCUS = 43;
const DAMAGE = { queryVersion: 0, create: 1, subtract: 3 } as const;
const REPORT_NON_EMPTY = 3;
const SETUP_WORKED = 1;
const SETUP_HEADER_BYTES = 8;

/** The setup request of a little-endian connection. */
export function setupRequest({ name, data }: Cookie): Uint8Array<ArrayBuffer> {
  const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, "\0");
  const head = String.fromCharCode(0x6c, 0, 11, 0, 0, 0, ...[name.length, 0, data.length, 0], 0, 0);
  return Uint8Array.from(head + padded(name) + padded(data), (byte) => byte.charCodeAt(0));
}

/**
 * The first resource id of the connection; `undefined` when it was refused, "more" while bytes are
 * missing.
 */
export function readSetup(bytes: Uint8Array): number | undefined | "more" {
  if (bytes.length < SETUP_HEADER_BYTES) return "more";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] !== SETUP_WORKED) return undefined;
  const length = SETUP_HEADER_BYTES + 4 * view.getUint16(6, true);
  return bytes.length < length ? "more" : view.getUint32(12, true);
}

/** The bits of a resource id that its client chooses, in a setup that {@link readSetup} accepts. */
export function readClientMask(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(16, true);
}

export interface DamageOf {
  readonly opcode: number;
  readonly id: number;
  readonly root: number;
}

/**
 * Requests an event at the first change of the root's content and at a change of its size; one
 * reply follows.
 */
export function watchRequests({ opcode, id, root }: DamageOf): Uint8Array<ArrayBuffer> {
  return words(
    ...[CHANGE_WINDOW_ATTRIBUTES | 4 << 16, root, CW_EVENT_MASK, EVENT_MASK.structureNotify],
    ...[opcode | DAMAGE.queryVersion << 8 | 3 << 16, 1, 1],
    ...[opcode | DAMAGE.create << 8 | 4 << 16, id, root, REPORT_NON_EMPTY],
  );
}

/**
 * Clears the damage so far, so that the next change is reported again; one reply follows when that
 * is done.
 */
export function armRequests({ opcode, id }: DamageOf): Uint8Array<ArrayBuffer> {
  return words(...[opcode | DAMAGE.subtract << 8 | 4 << 16, id, 0, 0], GET_INPUT_FOCUS | 1 << 16);
}

function words(...values: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
