/**
 * Finds patterns in bytes by their first bytes, so that thousands of patterns cost no more than
 * one.
 */

/** Number of bytes looked up together; every pattern has at least this many. */
const HEAD_BYTES = 6;
/** Longer parts are compared by their hashes first. */
const LONG_BYTES = 64;
/** Candidates to check between two readings of the clock. */
const CANDIDATES_PER_LOOK = 256;

export interface Pattern {
  readonly bytes: Uint8Array;
  /** What replaces the pattern. */
  readonly label: Uint8Array;
  /** Computed when first needed. */
  hashes?: PrefixHashes;
}

/** The bytes of one search, which do not change during it. */
export interface Searched {
  readonly bytes: Uint8Array;
  /** Whether nothing follows, so that the start of a pattern at the end does not count. */
  readonly ended: boolean;
  /** Computed when first needed. */
  hashes?: PrefixHashes;
}

/**
 * What was found: a pattern, possibly the start of one that continues after the end, or nothing up
 * to the end; `paused` if the time was up before this position was examined.
 */
export interface Find {
  readonly at: number;
  readonly what: Pattern | "beginning" | "nothing" | "paused";
}

/** Patterns with the same head and length. */
interface Group {
  readonly length: number;
  readonly patterns: Pattern[];
  /** By hash; built only for several patterns. */
  byHash?: Map<number, Pattern[]>;
}

export class PatternTable {
  /** How many patterns begin with each pair of bytes. */
  readonly #starts = new Uint32Array(0x10000);
  /** By head, longest patterns first. */
  readonly #byHead = new Map<number, Group[]>();
  /** For each sequence of one or more bytes, how many patterns have a head that begins with it. */
  readonly #cutHeads = new Map<number, number>();
  #candidates = 0;

  add(pattern: Pattern): void {
    this.#count(pattern, 1);
    const { bytes } = pattern;
    const head = headAt(bytes, 0, HEAD_BYTES);
    const groups = this.#byHead.get(head) ?? [];
    this.#byHead.set(head, groups);
    const group = groups.find(({ length }) => length === bytes.byteLength);
    if (group === undefined) {
      groups.push({ length: bytes.byteLength, patterns: [pattern] });
      groups.sort((a, b) => b.length - a.length);
    } else {
      group.patterns.push(pattern);
      delete group.byHash;
    }
  }

  remove(pattern: Pattern): void {
    this.#count(pattern, -1);
    const head = headAt(pattern.bytes, 0, HEAD_BYTES);
    const groups = this.#byHead.get(head)!;
    const group = groups.find(({ length }) => length === pattern.bytes.byteLength)!;
    group.patterns.splice(group.patterns.indexOf(pattern), 1);
    delete group.byHash;
    if (group.patterns.length === 0) groups.splice(groups.indexOf(group), 1);
    if (groups.length === 0) this.#byHead.delete(head);
  }

  /**
   * The first position from `from` on at which anything is found; of several patterns there, the
   * longest. Pauses shortly after `until`, in `performance.now()` time.
   */
  next(text: Searched, from: number, until: number): Find {
    const { bytes } = text;
    for (let at = from; at < bytes.byteLength; at++) {
      if (this.#starts[bytes[at]! | (bytes[at + 1] ?? 0) << 8] === 0) {
        if (at + 1 < bytes.byteLength) continue;
      }
      if (this.#candidates > CANDIDATES_PER_LOOK) {
        this.#candidates = 0;
        if (performance.now() > until) return { at, what: "paused" };
      }
      const what = this.#findAt(text, at);
      if (what !== undefined) return { at, what };
    }
    return { at: bytes.byteLength, what: "nothing" };
  }

  #count({ bytes }: Pattern, difference: 1 | -1): void {
    this.#starts[bytes[0]! | bytes[1]! << 8]! += difference;
    for (let length = 1; length < HEAD_BYTES; length++) {
      const head = headAt(bytes, 0, length);
      const count = (this.#cutHeads.get(head) ?? 0) + difference;
      if (count === 0) this.#cutHeads.delete(head);
      else this.#cutHeads.set(head, count);
    }
  }

  #findAt(text: Searched, at: number): Pattern | "beginning" | undefined {
    const { bytes, ended } = text;
    const rest = bytes.byteLength - at;
    if (rest < HEAD_BYTES) {
      if (ended) return undefined;
      return this.#cutHeads.has(headAt(bytes, at, rest)) ? "beginning" : undefined;
    }
    for (const group of this.#byHead.get(headAt(bytes, at, HEAD_BYTES)) ?? []) {
      const isCut = group.length > rest;
      if (isCut && ended) continue;
      const candidates = isCut ? group.patterns : candidatesAt(group, text, at);
      this.#candidates += 1 + candidates.length;
      const length = Math.min(group.length, rest);
      const found = candidates.find((pattern) => isAt(pattern, text, { at, length }));
      if (found !== undefined) return isCut ? "beginning" : found;
    }
    return undefined;
  }
}

/** The patterns of the group whose hash matches the bytes at this position. */
function candidatesAt(group: Group, text: Searched, at: number): readonly Pattern[] {
  const { length, patterns } = group;
  if (patterns.length === 1) return patterns;
  group.byHash ??= Map.groupBy(patterns, (pattern) => findHashes(pattern).hash(0, length));
  return group.byHash.get(findHashes(text).hash(at, at + length)) ?? [];
}

/** Whether the first `length` bytes of the pattern occur at `at`. */
function isAt(
  pattern: Pattern,
  text: Searched,
  { at, length }: { readonly at: number; readonly length: number },
): boolean {
  const isSame = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (pattern.bytes[i] !== text.bytes[at + i]) return false;
    return true;
  };
  if (!isSame(0, Math.min(length, LONG_BYTES))) return false;
  if (length <= LONG_BYTES) return true;
  if (findHashes(pattern).hash(0, length) !== findHashes(text).hash(at, at + length)) return false;
  return isSame(LONG_BYTES, length);
}

function findHashes(of: { readonly bytes: Uint8Array; hashes?: PrefixHashes }): PrefixHashes {
  return of.hashes ??= new PrefixHashes(of.bytes);
}

/**
 * Encodes bytes and their count as one number: at most 51 bits, which a number represents exactly.
 */
function headAt(bytes: Uint8Array, at: number, length: number): number {
  let head = 0;
  for (let i = 0; i < length; i++) head = head * 256 + bytes[at + i]!;
  return head * 8 + length;
}

// Detects quickly that two long parts differ: comparing byte by byte would take quadratic time for
// a value that repeatedly starts like the output.

/** The largest prime below 2^26: a product plus a byte still fits into the 53 bits of a number. */
const PRIME = 67_108_859;
/**
 * Powers of a base that is chosen at random in each run, so that no attacker can prepare
 * collisions.
 */
let powers: number[] | undefined;

class PrefixHashes {
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
