/**
 * An edit as data: the same bytes are removed, and the same bytes inserted, at one or many offsets.
 */

import type { Content } from "../filesystem/safe_write/content.ts";

export interface Splice {
  /** Offsets in the bytes before the edit: ascending, without overlap. */
  readonly at: Uint32Array;
  /** The bytes at each of these offsets before the edit. */
  readonly removed: Uint8Array;
  /** The bytes there after the edit. */
  readonly inserted: Uint8Array;
}

/**
 * Small pieces are joined into blocks of this size, in bytes: a write call costs more than copying.
 */
const BLOCK = 1024 * 1024;

/** The bytes after the edit. */
export function applySplice(bytes: Uint8Array, splice: Splice): Content {
  return {
    size: sizeAfter(bytes.length, splice),
    pieces: () => gathered(segments(bytes, splice)),
  };
}

export function sizeAfter(size: number, { at, removed, inserted }: Splice): number {
  return size + at.length * (inserted.length - removed.length);
}

/**
 * The edit that reverses this one; its offsets can be transferred to another thread without a copy.
 */
export function reverseSplice({ at, removed, inserted }: Splice): Splice {
  const growth = inserted.length - removed.length;
  const places = new Uint32Array(new SharedArrayBuffer(at.byteLength));
  for (let index = 0; index < at.length; index++) places[index] = at[index]! + index * growth;
  return { at: places, removed: inserted, inserted: removed };
}

function* segments(bytes: Uint8Array, splice: Splice): Iterable<Uint8Array> {
  let copied = 0;
  for (const place of splice.at) {
    yield bytes.subarray(copied, place);
    yield splice.inserted;
    copied = place + splice.removed.length;
  }
  yield bytes.subarray(copied);
}

/**
 * Yields blocks of at most {@link BLOCK} bytes; each block reuses the memory of the previous one.
 */
function* gathered(parts: Iterable<Uint8Array>): Iterable<Uint8Array> {
  const block = new Uint8Array(BLOCK);
  let filled = 0;
  for (const part of parts) {
    for (let taken = 0; taken < part.length;) {
      const piece = part.subarray(taken, taken + BLOCK - filled);
      block.set(piece, filled);
      filled += piece.length;
      taken += piece.length;
      if (filled < BLOCK) continue;
      yield block;
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
