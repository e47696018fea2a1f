/**
 * Reads the server's keyboard map: key types, the symbols of every group and level, modifiers.
 * Source: The X Keyboard Extension, protocol version 1.0, request XkbGetMap, which the `x11`
 * package lacks.
 */

import type { Buffer } from "node:buffer";
import type { Xkb } from "./client.ts";
import { callPacket, requestPacket, sendPacket, type X11Connection } from "./connection.ts";

const GET_MAP = 8;
const KEY_TYPES = 1;
const KEY_SYMS = 2;
const MODIFIER_MAP = 4;

/** Which modifiers select which level of a key. */
export interface KeyType {
  /** The real modifiers that this type evaluates. */
  readonly mask: number;
  /** Modifiers -> level, for levels other than 0. */
  readonly entries: readonly { readonly mods: number; readonly level: number }[];
}

/** One key: the type and the symbols by level of each group. */
export interface KeySymbols {
  readonly keycode: number;
  readonly groups: readonly { readonly type: KeyType; readonly keysyms: readonly number[] }[];
  /** How an out-of-range group is handled (XKB, section "groupInfo"). */
  readonly groupInfo: number;
}

export interface XkbMap {
  readonly keys: readonly KeySymbols[];
  /** Keycode -> mask of real modifiers. */
  readonly modifiers: ReadonlyMap<number, number>;
}

/**
 * One key in the form of the protocol (KB_KEYSYMMAP): `groupInfo` contains the number of groups,
 * `width` the number of symbols per group.
 */
export interface KeyRow {
  readonly keycode: number;
  readonly typeIndexes: readonly number[];
  readonly groupInfo: number;
  readonly width: number;
  readonly keysyms: readonly number[];
}

/** The map together with the rows from which it was built. */
export interface ServerMap extends XkbMap {
  readonly rows: ReadonlyMap<number, KeyRow>;
}

export interface KeycodeRange {
  readonly first: number;
  readonly count: number;
}

/** Requests the map of the core keyboard. */
export function getXkbMap(connection: X11Connection, xkb: Xkb): Promise<ServerMap> {
  const full = KEY_TYPES | KEY_SYMS | MODIFIER_MAP;
  return getMap(connection, xkb, { device: xkb.UseCoreKbd, full });
}

/** Requests the rows of some keys of one device. */
export async function getKeyRows(
  connection: X11Connection,
  xkb: Xkb,
  { device, range }: { readonly device: number; readonly range: KeycodeRange },
): Promise<readonly KeyRow[]> {
  const { rows } = await getMap(connection, xkb, { device, range });
  return [...rows.values()];
}

interface GetMapRequest {
  readonly device: number;
  /** The parts of the map that are requested in full. */
  readonly full?: number;
  /** The keys whose symbols are requested in addition. */
  readonly range?: KeycodeRange;
}

function getMap(
  connection: X11Connection,
  xkb: Xkb,
  { device, full = 0, range = { first: 0, count: 0 } }: GetMapRequest,
): Promise<ServerMap> {
  const packet = requestPacket(xkb, GET_MAP, 28);
  packet.writeUInt16LE(device, 4);
  packet.writeUInt16LE(full, 6);
  packet.writeUInt16LE(range.count > 0 ? KEY_SYMS : 0, 8);
  packet[12] = range.first;
  packet[13] = range.count;
  return callPacket(connection, packet, parseXkbMap);
}

/** Parses the reply, starting at its byte 8. */
function parseXkbMap(body: Buffer): ServerMap {
  const typeCount = body[7]!;
  const firstKey = body[9]!;
  const keyCount = body[12]!;
  const modifierKeys = body[25]!;
  const reader = { body, at: 32 };
  const types = repeat(typeCount, () => readType(reader));
  const rows = repeat(keyCount, (i) => readRow(reader, firstKey + i));
  const modifiers = new Map(repeat(modifierKeys, () => readModifier(reader)));
  return {
    rows: new Map(rows.map((row) => [row.keycode, row])),
    keys: rows.map((row) => readKeySymbols(row, types)),
    modifiers,
  };
}

function readKeySymbols(row: KeyRow, types: readonly KeyType[]): KeySymbols {
  const { keycode, groupInfo, width, keysyms, typeIndexes } = row;
  const groups = repeat(groupInfo & 0x0f, (group) => ({
    type: types[typeIndexes[group]!]!,
    keysyms: keysyms.slice(group * width, (group + 1) * width),
  }));
  return { keycode, groups, groupInfo };
}

interface Reader {
  readonly body: Buffer;
  at: number;
}

function readType(reader: Reader): KeyType {
  const { body, at } = reader;
  const mask = body[at]!;
  const count = body[at + 5]!;
  const hasPreserve = body[at + 6] !== 0;
  const entries = repeat(count, (i) => {
    const entry = at + 8 + 8 * i;
    return { active: body[entry] !== 0, mods: body[entry + 1]!, level: body[entry + 2]! };
  });
  reader.at = at + 8 + 8 * count + (hasPreserve ? 4 * count : 0);
  return { mask, entries: entries.filter((entry) => entry.active) };
}

function readRow(reader: Reader, keycode: number): KeyRow {
  const { body, at } = reader;
  const groupInfo = body[at + 4]!;
  const width = body[at + 5]!;
  const count = body.readUInt16LE(at + 6);
  const keysyms = repeat(count, (i) => body.readUInt32LE(at + 8 + 4 * i));
  reader.at = at + 8 + 4 * count;
  return { keycode, typeIndexes: [...body.subarray(at, at + 4)], groupInfo, width, keysyms };
}

function readModifier(reader: Reader): [keycode: number, mask: number] {
  const { body, at } = reader;
  reader.at += 2;
  return [body[at]!, body[at + 1]!];
}

function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

// Writes keys into the server's keyboard map, in the form in which `xkb_map.ts` reads them: one
// request, and one notification to all programs, per range of keycodes. Source: The X Keyboard
// Extension, protocol version 1.0, request XkbSetMap.

const SET_MAP = 9;
const RECOMPUTE_ACTIONS = 2;
const HEADER_BYTES = 36;
const ROW_BYTES = 8;

/** Sends rows with consecutive keycodes; returns the sequence number of the request. */
export function setKeyRows(
  { client, setup }: X11Connection,
  xkb: Xkb,
  { device, rows }: { readonly device: number; readonly rows: readonly KeyRow[] },
): number {
  const symbols = rows.reduce((sum, { keysyms }) => sum + keysyms.length, 0);
  const bytes = HEADER_BYTES + ROW_BYTES * rows.length + 4 * symbols;
  const packet = requestPacket(xkb, SET_MAP, bytes);
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
  return sendPacket(client, packet);
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
