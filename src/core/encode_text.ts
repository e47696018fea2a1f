/** Encodes a text as UTF-8 in pieces: 16 MB in one call would block the main thread. */

/** Size of one piece, in UTF-16 code units: a millisecond at most. */
const PIECE = 128 * 1024;

/** Lone surrogates become U+FFFD. */
export function* encodeText(
  text: string,
  pieceLength = PIECE,
): Iterable<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + pieceLength);
    // keep surrogate pairs together
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++;
    yield encoder.encode(text.slice(at, end));
    at = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
