/** An edit as data: the same bytes are taken out, and the same put in, at one or many places. */

import type { Content } from "../filesystem/safe_write/content.ts";

export interface Splice {
  /** Where, in the bytes before the edit: ascending, without overlap. */
  readonly at: Uint32Array;
  /** What is at each of these places before. */
  readonly removed: Uint8Array;
  /** What is there afterwards. */
  readonly inserted: Uint8Array;
}

/** Small pieces are gathered into blocks of this size, in bytes: a write call costs more than copying. */
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

/** The edit that takes this one back; its places can be handed to another thread without copying them. */
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

/** Blocks of at most {@link BLOCK} bytes; the memory of a block is used again for the next. */
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
