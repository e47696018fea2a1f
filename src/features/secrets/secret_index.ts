/** Finds stored values in bytes: by their first bytes, so that thousands of values cost no more than one. */

import type { Item } from "./item.ts";
import { PrefixHashes } from "./prefix_hashes.ts";

/** Shorter values are left alone: they would turn up in any text by chance. */
const MIN_CHARACTERS = 6;
/** Of each value this many bytes are looked up at once; every value has as many. */
const HEAD_BYTES = 6;

/** Longer pieces are compared by their hashes first. */
const LONG_BYTES = 64;

export interface Pattern {
  readonly bytes: Uint8Array;
  /** Of a long value, when it was first needed. */
  hashes?: PrefixHashes;
  /** What stands in its place. */
  readonly label: Uint8Array;
}

/** The bytes of one search, which do not change meanwhile. */
export interface Searched {
  readonly bytes: Uint8Array;
  /** Whether nothing follows them, so that no beginning counts. */
  readonly ended: boolean;
  /** When they were first needed. */
  hashes?: PrefixHashes;
}

/** What is at a place: a value, perhaps the beginning of one that goes on after the end, or neither. */
export type Find = Pattern | "beginning" | undefined;

export class SecretIndex {
  readonly #services = new Map<string, readonly Pattern[]>();
  #tables: Tables | undefined;

  /** Puts the values of a service in place of its earlier ones. */
  set(service: string, item: Item): void {
    const patterns = [...item].flatMap(([field, value]) => patternOf(service, field, value));
    if (patterns.length > 0) this.#services.set(service, patterns);
    else this.#services.delete(service);
    this.#tables = undefined;
  }

  /** Puts the values of a service beside its earlier ones. */
  add(service: string, item: Item): void {
    const known = this.#services.get(service) ?? [];
    const added = [...item].flatMap(([field, value]) => patternOf(service, field, value))
      .filter(({ bytes }) => !known.some((pattern) => isSame(pattern.bytes, bytes)));
    if (added.length === 0) return;
    this.#services.set(service, [...known, ...added]);
    this.#tables = undefined;
  }

  delete(service: string): void {
    if (this.#services.delete(service)) this.#tables = undefined;
  }

  get isEmpty(): boolean {
    return this.#services.size === 0;
  }

  /** How long the longest value is. */
  get longestBytes(): number {
    let longest = 0;
    for (const patterns of this.#services.values()) {
      for (const { bytes } of patterns) longest = Math.max(longest, bytes.byteLength);
    }
    return longest;
  }

  /** The first place from `from` on where something is; the longest value of those that begin there. */
  next(text: Searched, from: number): { readonly at: number; readonly find: Find } {
    const { bytes } = text;
    const tables = this.#tables ??= tablesOf([...this.#services.values()].flat());
    for (let at = from; at < bytes.byteLength; at++) {
      if (tables.starts[bytes[at]! | (bytes[at + 1] ?? 0) << 8] === 0) {
        if (at + 1 < bytes.byteLength) continue;
      }
      const find = findAt(tables, text, at);
      if (find !== undefined) return { at, find };
    }
    return { at: bytes.byteLength, find: undefined };
  }
}

interface Tables {
  /** 1 for the first two bytes of any value. */
  readonly starts: Uint8Array;
  /** Values by their head, the longest first. */
  readonly byHead: ReadonlyMap<number, readonly Pattern[]>;
  /** Heads that are cut short, from one byte on. */
  readonly cutHeads: ReadonlySet<number>;
}

function patternOf(service: string, field: string, value: string): Pattern[] {
  if ([...value.slice(0, 2 * MIN_CHARACTERS)].length < MIN_CHARACTERS) return [];
  const utf8 = new TextEncoder();
  return [{ bytes: utf8.encode(value), label: utf8.encode(`[redacted:${service}/${field}]`) }];
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
}

function tablesOf(patterns: readonly Pattern[]): Tables {
  const starts = new Uint8Array(0x10000);
  const byHead = new Map<number, Pattern[]>();
  const cutHeads = new Set<number>();
  for (const pattern of patterns.toSorted((a, b) => b.bytes.length - a.bytes.length)) {
    const { bytes } = pattern;
    starts[bytes[0]! | bytes[1]! << 8] = 1;
    const head = headAt(bytes, 0, HEAD_BYTES);
    const same = byHead.get(head);
    if (same === undefined) byHead.set(head, [pattern]);
    else same.push(pattern);
    for (let length = 1; length < HEAD_BYTES; length++) cutHeads.add(headAt(bytes, 0, length));
  }
  return { starts, byHead, cutHeads };
}

function findAt(tables: Tables, text: Searched, at: number): Find {
  const { bytes } = text;
  const rest = bytes.byteLength - at;
  if (rest < HEAD_BYTES) {
    if (text.ended) return undefined;
    return tables.cutHeads.has(headAt(bytes, at, rest)) ? "beginning" : undefined;
  }
  for (const pattern of candidatesAt(tables, bytes, at)) {
    const find = matchAt(pattern, text, at);
    if (find !== undefined) return find;
  }
  return undefined;
}

/** Whether the value is at `at`, as a whole or up to the end. */
function matchAt(pattern: Pattern, text: Searched, at: number): Find {
  const { bytes, ended } = text;
  if (ended && at + pattern.bytes.byteLength > bytes.byteLength) return;
  const length = Math.min(pattern.bytes.byteLength, bytes.byteLength - at);
  if (!isAt(pattern.bytes, bytes, { at, from: 0, to: Math.min(length, LONG_BYTES) })) return;
  if (length > LONG_BYTES) {
    const own = pattern.hashes ??= new PrefixHashes(pattern.bytes);
    const theirs = text.hashes ??= new PrefixHashes(bytes);
    if (own.hash(0, length) !== theirs.hash(at, at + length)) return;
    if (!isAt(pattern.bytes, bytes, { at, from: LONG_BYTES, to: length })) return;
  }
  return length === pattern.bytes.byteLength ? pattern : "beginning";
}

function candidatesAt(tables: Tables, bytes: Uint8Array, at: number): readonly Pattern[] {
  if (bytes.byteLength - at < HEAD_BYTES) return [];
  return tables.byHead.get(headAt(bytes, at, HEAD_BYTES)) ?? [];
}

/** Some bytes as one number that also tells how many they are: at most 51 bits, which a number holds exactly. */
function headAt(bytes: Uint8Array, at: number, length: number): number {
  let head = 0;
  for (let i = 0; i < length; i++) head = head * 256 + bytes[at + i]!;
  return head * 8 + length;
}

/** Whether bytes `from` to `to` of the value are in the text, where the value begins at `at`. */
function isAt(
  value: Uint8Array,
  bytes: Uint8Array,
  { at, from, to }: { readonly at: number; readonly from: number; readonly to: number },
): boolean {
  for (let i = from; i < to; i++) if (value[i] !== bytes[at + i]) return false;
  return true;
}
