/**
 * Finds every occurrence of a byte sequence, from left to right and without overlap, in time linear
 * in the sum of both lengths.
 */

import { Buffer } from "node:buffer";

/** Bytes to search before checking whether a caller still waits. */
const STRETCH = 4 * 1024 * 1024;

/**
 * Up to this length the engine's own search is fast for any content. With longer sequences it may
 * inspect each byte once per byte of the sequence.
 */
const MAX_SIMPLE = 16;

export interface FindOptions {
  /** The most occurrences to find. */
  readonly limit: number;
  /** @throws when no caller waits for the result any more. */
  checkStop(): void;
}

/** The offsets; `undefined` when there are more than `limit`. */
export function findMatches(
  bytes: Uint8Array,
  wanted: Uint8Array,
  options: FindOptions,
): Uint32Array | undefined {
  const found = new Offsets(options.limit);
  const search = wanted.length <= MAX_SIMPLE ? searchSimply : searchByPrefixes;
  return search(bytes, wanted, { found, options }) ? found.toArray() : undefined;
}

interface Searching {
  readonly found: Offsets;
  readonly options: FindOptions;
}

/** `false` when there are too many occurrences. */
function searchSimply(bytes: Uint8Array, wanted: Uint8Array, { found, options }: Searching) {
  const needle = asText(wanted);
  for (let start = 0; start + wanted.length <= bytes.length;) {
    options.checkStop();
    const end = Math.min(bytes.length, start + STRETCH + wanted.length - 1);
    const stretch = asText(bytes.subarray(start, end));
    let next = 0;
    for (let at = stretch.indexOf(needle); at >= 0; at = stretch.indexOf(needle, next)) {
      if (!found.add(start + at)) return false;
      next = at + needle.length;
    }
    if (end === bytes.length) break;
    start += Math.max(next, STRETCH);
  }
  return true;
}

/** One character per byte: the engine searches strings much faster than arrays. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Knuth, Morris and Pratt's algorithm: reads no byte twice (SIAM Journal on Computing 6, 1977). */
function searchByPrefixes(bytes: Uint8Array, wanted: Uint8Array, { found, options }: Searching) {
  const borders = computeBorders(wanted);
  const first = wanted[0]!;
  let matched = 0;
  for (let start = 0; start < bytes.length;) {
    options.checkStop();
    const end = Math.min(bytes.length, start + STRETCH);
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (matched === 0 && byte !== first) continue;
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1]!;
      if (wanted[matched] === byte) matched++;
      if (matched < wanted.length) continue;
      if (!found.add(at + 1 - matched)) return false;
      matched = 0; // matches must not overlap
    }
    start = end;
  }
  return true;
}

/**
 * For each prefix of the bytes, the length of its longest border: a shorter prefix that it also
 * ends with.
 */
function computeBorders(wanted: Uint8Array): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[length] !== wanted[at]) length = borders[length - 1]!;
    if (wanted[length] === wanted[at]) length++;
    borders[at] = length;
  }
  return borders;
}

class Offsets {
  #length = 0;
  #places = new Uint32Array(64);

  constructor(private readonly limit: number) {}

  /** `false` when the limit has been reached. */
  add(place: number): boolean {
    if (this.#length === this.limit) return false;
    if (this.#length === this.#places.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[this.#length++] = place;
    return true;
  }

  toArray(): Uint32Array<ArrayBuffer> {
    return this.#places.slice(0, this.#length);
  }
}
