/** Encodes a text as UTF-8 piece by piece: 16 MB at once would hold up the thread that answers requests. */

/** Encoded at once, in UTF-16 code units: a millisecond at most. */
const PIECE = 128 * 1024;

/** Lone surrogates become U+FFFD. */
export function* encodeText(
  text: string,
  pieceLength = PIECE,
): Iterable<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + pieceLength);
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++; // a pair is one character
    yield encoder.encode(text.slice(at, end));
    at = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
