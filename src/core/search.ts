/**
 * Finds a sequence in another one in a time that grows with their lengths alone, whatever they are
 * (Knuth, Morris and Pratt, SIAM Journal on Computing 6, 1977).
 */

/** Searches bytes that may come piece by piece, and reads none of them twice. */
export class ByteSearch {
  readonly #borders: Uint32Array;
  #matched = 0;

  /** @param wanted at least one byte */
  constructor(private readonly wanted: Uint8Array) {
    this.#borders = computeBorders(wanted);
  }

  /** Forgets the bytes so far: a match that comes now shares none with them. */
  restart(): void {
    this.#matched = 0;
  }

  /**
   * The offset behind the first match that ends between `from` and `to`; -1 if none does. A match
   * may begin in earlier pieces.
   */
  findEnd(piece: Uint8Array, from = 0, to = piece.length): number {
    const { wanted } = this;
    const borders = this.#borders;
    const first = wanted[0]!;
    let matched = this.#matched;
    for (let at = from; at < to; at++) {
      const byte = piece[at];
      if (matched === 0 && byte !== first) continue;
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1]!;
      if (wanted[matched] === byte) matched++;
      if (matched < wanted.length) continue;
      this.#matched = borders[matched - 1]!;
      return at + 1;
    }
    this.#matched = matched;
    return -1;
  }
}

/**
 * For each beginning of a sequence, the length of its longest border: a shorter beginning that it
 * also ends with.
 */
export function computeBorders(wanted: Uint8Array | Int32Array): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[length] !== wanted[at]) length = borders[length - 1]!;
    if (wanted[length] === wanted[at]) length++;
    borders[at] = length;
  }
  return borders;
}
