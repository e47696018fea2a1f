/**
 * Writes keys into the server's keyboard map, in the form in which `xkb_map.ts` reads them: one
 * request, and one notification to all programs, per range of keycodes. Source: The X Keyboard
 * Extension, protocol version 1.0, request XkbSetMap.
 */

import { Buffer } from "node:buffer";
import type { Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { KeyRow } from "./xkb_map.ts";

const SET_MAP = 9;
const KEY_SYMS = 2;
const RECOMPUTE_ACTIONS = 2;
const HEADER_BYTES = 36;
const ROW_BYTES = 8;

/** Sends rows with consecutive keycodes; returns the sequence number of the request. */
export function setKeyRows(
  { client, setup }: X11Connection,
  { majorOpcode }: Xkb,
  { device, rows }: { readonly device: number; readonly rows: readonly KeyRow[] },
): number {
  const symbols = rows.reduce((sum, { keysyms }) => sum + keysyms.length, 0);
  const packet = Buffer.alloc(HEADER_BYTES + ROW_BYTES * rows.length + 4 * symbols);
  packet[0] = majorOpcode;
  packet[1] = SET_MAP;
  packet.writeUInt16LE(packet.length / 4, 2);
  packet.writeUInt16LE(device, 4);
  packet.writeUInt16LE(KEY_SYMS, 6);
  packet.writeUInt16LE(RECOMPUTE_ACTIONS, 8);
  packet[10] = setup.min_keycode;
  packet[11] = setup.max_keycode;
  packet[14] = rows[0]!.keycode;
  packet[15] = rows.length;
  packet.writeUInt16LE(symbols, 16);
  let at = HEADER_BYTES;
  for (const row of rows) at = writeRow(packet, at, row);
  client.seq_num++;
  client.pack_stream.put(packet);
  client.pack_stream.submit();
  return client.seq_num;
}

function writeRow(packet: Buffer, at: number, row: KeyRow): number {
  row.typeIndexes.forEach((type, group) => packet[at + group] = type);
  packet[at + 4] = row.groupInfo;
  packet[at + 5] = row.width;
  packet.writeUInt16LE(row.keysyms.length, at + 6);
  let next = at + ROW_BYTES;
  for (const keysym of row.keysyms) next = packet.writeUInt32LE(keysym, next);
  return next;
}

export function sameRow(a: KeyRow | undefined, b: KeyRow | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const groups = a.groupInfo & 0x0f;
  return a.groupInfo === b.groupInfo && a.keysyms.length === b.keysyms.length &&
    a.keysyms.every((keysym, i) => keysym === b.keysyms[i]) &&
    a.typeIndexes.slice(0, groups).every((type, i) => type === b.typeIndexes[i]);
}
