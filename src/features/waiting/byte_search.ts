/**
 * Searches bytes that come piece by piece, in a time that grows with their number alone, whatever
 * they are (Knuth, Morris and Pratt).
 */

export class ByteSearch {
  /** For each length of a beginning of `wanted`: how much of it is a beginning again. */
  readonly #fallbacks: Uint16Array;
  #matched = 0;

  /** @param wanted at least one byte, and at most 65,535 */
  constructor(private readonly wanted: Uint8Array) {
    this.#fallbacks = new Uint16Array(wanted.length + 1);
    for (let length = 1, again = 0; length < wanted.length; length++) {
      while (again > 0 && wanted[length] !== wanted[again]) again = this.#fallbacks[again]!;
      if (wanted[length] === wanted[again]) again++;
      this.#fallbacks[length + 1] = again;
    }
  }

  /** Forgets the pieces so far. */
  restart(): void {
    this.#matched = 0;
  }

  /** Whether the wanted bytes end in this piece; they may begin in an earlier one. */
  findIn(piece: Uint8Array): boolean {
    const { wanted } = this;
    let matched = this.#matched;
    for (let at = 0; at < piece.length; at++) {
      while (matched > 0 && piece[at] !== wanted[matched]) matched = this.#fallbacks[matched]!;
      if (piece[at] === wanted[matched]) matched++;
      if (matched === wanted.length) return true;
    }
    this.#matched = matched;
    return false;
  }
}
