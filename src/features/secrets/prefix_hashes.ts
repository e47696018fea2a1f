/**
 * Detects quickly that two long parts differ: comparing byte by byte would take quadratic time for
 * a value that repeatedly starts like the output.
 */

/** The largest prime below 2^26: a product plus a byte still fits into the 53 bits of a number. */
const PRIME = 67_108_859;
/**
 * Powers of a base that is chosen at random in each run, so that no attacker can prepare
 * collisions.
 */
let powers: number[] | undefined;

export class PrefixHashes {
  /** The hashes of all prefixes: at index n, that of the first n bytes. */
  readonly #hashes: Float64Array;

  constructor(bytes: Uint8Array) {
    const hashes = this.#hashes = new Float64Array(bytes.byteLength + 1);
    const base = computePower(1);
    let hash = 0;
    for (let at = 0; at < bytes.byteLength; at++) {
      hash = (hash * base + bytes[at]! + 1) % PRIME;
      hashes[at + 1] = hash;
    }
  }

  /** The hash of the bytes from `from` to `to`. */
  hash(from: number, to: number): number {
    const before = this.#hashes[from]! * computePower(to - from) % PRIME;
    return (this.#hashes[to]! - before + PRIME) % PRIME;
  }
}

function computePower(exponent: number): number {
  powers ??= [1, randomBase()];
  while (powers.length <= exponent) powers.push(powers.at(-1)! * powers[1]! % PRIME);
  return powers[exponent]!;
}

function randomBase(): number {
  return 2 ** 25 + crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 24;
}
