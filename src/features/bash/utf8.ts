/** Finds where the characters of UTF-8 text begin and end, so that none is split. */

import { Turns } from "../../core/turns.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });
const LONGEST = 4;
/** Bytes decoded in one go: takes a millisecond. */
const PIECE = 64 * 1024;

/** Decodes bytes as text; invalid UTF-8 becomes U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Like {@link decode}, but lets other tasks run in between. */
export async function decodeInTurns(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= PIECE) return decode(bytes);
  const turns = new Turns();
  const streaming = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += streaming.decode(bytes.subarray(at, at + PIECE), { stream: true });
    await turns.pass();
  }
  return text + streaming.decode();
}

/** Number of bytes at the end that begin a character whose remaining bytes are missing. */
export function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Number of bytes from `at` on that belong to a character which begins before `at`. */
export function countInside(bytes: Uint8Array, at: number): number {
  for (let back = 1; back < LONGEST && back <= at; back++) {
    const byte = bytes[at - back]!;
    if (isContinuation(byte)) continue;
    const end = at - back + sequenceLength(byte);
    return end > at && isCharacter(bytes.subarray(at - back, end)) ? end - at : 0;
  }
  return 0;
}

/** Number of bytes at the start that can only be the end of a character. */
export function countLeftover(bytes: Uint8Array): number {
  let count = 0;
  while (count < LONGEST - 1 && count < bytes.length && isContinuation(bytes[count]!)) count++;
  return count;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The sequence length that a character's first byte announces; 1 if the byte cannot begin one. */
function sequenceLength(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  return 1;
}

function isCharacter(bytes: Uint8Array): boolean {
  try {
    return [...strict.decode(bytes)].length === 1;
  } catch {
    return false;
  }
}
