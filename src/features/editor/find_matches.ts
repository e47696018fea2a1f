/** Finds every occurrence of some bytes in others, from left to right and without overlap. */

import { Buffer } from "node:buffer";

/** Bytes that are searched at a stretch; then other requests get their turn. */
const STRETCH = 4 * 1024 * 1024;

export interface FindOptions {
  /** The most places that are wanted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The offsets; `undefined` when there are more than `limit`.
 * @throws the signal's reason when the client goes away.
 */
export async function findMatches(
  bytes: Uint8Array,
  wanted: Uint8Array,
  { limit, signal }: FindOptions,
): Promise<Uint32Array | undefined> {
  const found = new Offsets();
  const needle = asText(wanted);
  for (let start = 0; start + wanted.length <= bytes.length;) {
    const end = Math.min(bytes.length, start + STRETCH + wanted.length - 1);
    const stretch = asText(bytes.subarray(start, end));
    let next = 0;
    for (let at = stretch.indexOf(needle); at >= 0; at = stretch.indexOf(needle, next)) {
      if (found.length === limit) return undefined;
      found.push(start + at);
      next = at + needle.length;
    }
    if (end === bytes.length) break;
    start += Math.max(next, STRETCH);
    await nextTurn();
    signal.throwIfAborted();
  }
  return found.toArray();
}

/** One character per byte: the engine's search in texts is much faster than one in arrays. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

class Offsets {
  length = 0;
  #places = new Uint32Array(64);

  push(place: number): void {
    if (this.length === this.#places.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[this.length++] = place;
  }

  toArray(): Uint32Array {
    return this.#places.slice(0, this.length);
  }
}
