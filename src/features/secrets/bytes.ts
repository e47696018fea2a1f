/** Joins the pieces of a stream. */

export const NOTHING = new Uint8Array(0);

/** The pieces as one array; not copied if only one is non-empty. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0);
  if (filled.length === 1) return filled[0]!;
  const all = new Uint8Array(filled.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of filled) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
