/** The index of stored values to look for in command output, in all their forms. */

import type { Item } from "./item.ts";

/** The value of one field, with its forms and the number of its users. */
interface Value {
  readonly patterns: readonly Pattern[];
  /** Number of users: its service, and each running command that received it. */
  uses: number;
}

export class SecretIndex {
  readonly #table = new PatternTable();
  /** By service, field and value. */
  readonly #values = new Map<string, Value>();
  /** Keys of the current values of each service. */
  readonly #services = new Map<string, Set<string>>();

  /** Sets the values of a service, replacing earlier ones. */
  set(service: string, item: Item): void {
    const earlier = this.#services.get(service);
    this.#services.delete(service);
    this.add(service, item);
    for (const key of earlier ?? []) this.#release(key);
  }

  /** Adds values of a service to earlier ones. */
  add(service: string, item: Item): void {
    const keys = this.#services.get(service) ?? new Set();
    for (const [field, text] of item) {
      const key = indexKey(service, field, text);
      if (keys.has(key)) continue;
      this.#use(key, service, { field, text });
      keys.add(key);
    }
    if (keys.size > 0) this.#services.set(service, keys);
  }

  delete(service: string): void {
    this.set(service, new Map());
  }

  /** Keeps values known until the result is disposed of, even if their service changes. */
  hold(service: string, item: Item): Disposable {
    const keys = [...item].map(([field, text]) => {
      const key = indexKey(service, field, text);
      this.#use(key, service, { field, text });
      return key;
    });
    return {
      [Symbol.dispose]: () => {
        for (const key of keys.splice(0)) this.#release(key);
      },
    };
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Length of the longest form of any value. */
  get longestBytes(): number {
    let longest = 0;
    for (const { patterns } of this.#values.values()) {
      for (const { bytes } of patterns) longest = Math.max(longest, bytes.byteLength);
    }
    return longest;
  }

  /** Like {@link PatternTable.next}. */
  next(text: Searched, from: number, until: number): Find {
    return this.#table.next(text, from, until);
  }

  #use(key: string, service: string, { field, text }: { field: string; text: string }): void {
    const known = this.#values.get(key);
    if (known !== undefined) {
      known.uses++;
      return;
    }
    const utf8 = new TextEncoder();
    const label = utf8.encode(`[redacted:${service}/${field}]`);
    const patterns = listForms(text).map((form): Pattern => ({ bytes: utf8.encode(form), label }));
    if (patterns.length === 0) return;
    for (const pattern of patterns) this.#table.add(pattern);
    this.#values.set(key, { patterns, uses: 1 });
  }

  #release(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined || --value.uses > 0) return;
    for (const pattern of value.patterns) this.#table.remove(pattern);
    this.#values.delete(key);
  }
}

/** Names contain no control characters, so one can separate them. */
function indexKey(service: string, field: string, text: string): string {
  return `${service}\0${field}\0${text}`;
}

// Lists the forms in which a stored value can occur in the output of programs.

/** Shorter values are ignored, because they would occur in any text by chance. */
const MIN_CHARACTERS = 6;
/**
 * Numbers of fewer digits are ignored, too: a single text can have all of them, and the one that is
 * replaced would be the answer to a guess.
 */
const SHORT_NUMBER = /^\p{Nd}{0,7}$/u;
/** Shorter lines of a multi-line value are ignored, unless the whole value occurs. */
const MIN_LINE_CHARACTERS = 8;
const LINE_BREAK = /\r\n|\n|\r/;
/** First and last line of a PEM file, which all keys and certificates have in common. */
const ARMOR = /^-----(BEGIN|END) [A-Z0-9 ]+-----$/;

/**
 * The value without trailing line breaks (as a shell prints it), with either kind of line break,
 * line by line without indentation, and each of these as JSON escapes, with and without non-ASCII
 * characters, and as addresses have it. The value itself comes first; forms too short to search for are omitted.
 */
function listForms(value: string): readonly string[] {
  const whole = [value, value.replace(/[\r\n]+$/, "")];
  const lines = whole[1]!.split(LINE_BREAK);
  const plain = lines.length === 1 ? whole : [
    ...whole,
    lines.join("\n"),
    lines.join("\r\n"),
    ...lines.map((line) => line.trim()).filter(isDistinctive),
  ];
  const forms = new Set([...plain, ...plain.flatMap(jsonForms), ...plain.flatMap(urlForms)]);
  return [...forms].filter((form) =>
    hasCharacters(form, MIN_CHARACTERS) && !SHORT_NUMBER.test(form)
  );
}

function isDistinctive(line: string): boolean {
  return hasCharacters(line, MIN_LINE_CHARACTERS) && !ARMOR.test(line);
}

function hasCharacters(text: string, least: number): boolean {
  return [...text.slice(0, 2 * least)].length >= least;
}

/**
 * As written by JavaScript, in ASCII by Python, with escaped slashes by PHP, and HTML-safe by Go.
 */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7e]/g, escaped);
  const html = json.replace(/[<>&\u2028\u2029]/g, escaped);
  return [json, ascii, ascii.replaceAll("/", "\\/"), html];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** As scripts put it into an address, a form of a page does, and a browser shows what was typed. */
function urlForms(text: string): string[] {
  const whole = text.toWellFormed();
  const form = new URLSearchParams([["", whole]]).toString().slice(1);
  const component = encodeURIComponent(whole);
  const strict = component.replace(/[!'()*]/g, percentEncoded); // as Python and PHP do
  return [component, strict, form, form.replaceAll("+", "%20"), encodeURI(whole)];
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

// Finds patterns in bytes by their first bytes, so that thousands of patterns cost no more than
// one.

/** Number of bytes looked up together; every pattern has at least this many. */
const HEAD_BYTES = 6;
/** Longer parts are compared by their hashes first. */
const LONG_BYTES = 64;
/** Candidates to check between two readings of the clock. */
const CANDIDATES_PER_CLOCK_CHECK = 256;

interface Pattern {
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
interface Find {
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

class PatternTable {
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
      if (this.#candidates > CANDIDATES_PER_CLOCK_CHECK) {
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
