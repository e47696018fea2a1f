/** The index of stored values to look for in command output, in all their forms. */

import { Buffer } from "node:buffer";
import type { Item } from "./stored.ts";

export class SecretIndex {
  /** What to look for: of each service, and of each running command that has received values. */
  readonly #known = new Map<unknown, Patterns>();
  #table: PatternTable | undefined;

  /** Sets the values of a service, replacing earlier ones. */
  set(service: string, item: Item): void {
    this.#change(service, makePatterns(service, item));
  }

  /** Adds values of a service to earlier ones. */
  add(service: string, item: Item): void {
    const earlier = this.#known.get(service) ?? [];
    this.#change(service, new Map([...earlier, ...makePatterns(service, item)]));
  }

  delete(service: string): void {
    this.#change(service, undefined);
  }

  /** Keeps values known until the result is disposed of, even if their service changes. */
  hold(service: string, item: Item): Disposable {
    const command = {};
    this.#change(command, makePatterns(service, item));
    return { [Symbol.dispose]: () => this.#change(command, undefined) };
  }

  #change(key: unknown, patterns: Patterns | undefined): void {
    if (patterns === undefined) this.#known.delete(key);
    else this.#known.set(key, patterns);
    this.#table = undefined;
  }

  get isEmpty(): boolean {
    return this.longestBytes === 0;
  }

  /** Length of the longest form of any value. */
  get longestBytes(): number {
    return this.#patterns.longestBytes;
  }

  /** Like {@link PatternTable.next}. */
  next(text: SearchedText, from: number): Find {
    return this.#patterns.next(text, from);
  }

  /** Made when it is first needed after a change: a thousand values take some milliseconds. */
  get #patterns(): PatternTable {
    const all = () => [...this.#known.values()].flatMap((one) => [...one.values()].flat());
    return this.#table ??= new PatternTable(all());
  }
}

/** By field and value: names contain no control characters, so one can separate them. */
type Patterns = ReadonlyMap<string, readonly Pattern[]>;

function makePatterns(service: string, item: Item): Patterns {
  const utf8 = new TextEncoder();
  return new Map(
    [...item].map(([field, text]) => {
      const label = utf8.encode(`[redacted:${service}/${field}]`);
      const patterns = listForms(text).map((form) => ({ bytes: utf8.encode(form), label }));
      return [`${field}\0${text}`, patterns];
    }),
  );
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

// Finds patterns in bytes by binary search.

/** Longer patterns remember what was compared; for shorter ones it is quicker to compare again. */
const LONG_BYTES = 64;
/** Positions examined by one call, and those among them that need a search: some milliseconds. */
const MAX_STEPS = 400_000;
const STEPS_OF_SEARCH = 100;

interface Pattern {
  readonly bytes: Uint8Array;
  /** What replaces the pattern. */
  readonly label: Uint8Array;
}

interface Entry extends Pattern {
  /** The longest other pattern with which this one begins. */
  readonly prefix: Entry | undefined;
  /** See {@link measureRepeats}; computed when first needed. */
  repeats?: Uint32Array;
}

/** The bytes of one search, which do not change during it. */
export class SearchedText {
  /** Where a long pattern was compared last: from `at` to `end` the text is its beginning. */
  readonly compared = new Map<Entry, { readonly at: number; readonly end: number }>();

  /** @param ended nothing follows, so that the start of a pattern at the end does not count */
  constructor(readonly bytes: Uint8Array, readonly ended: boolean) {}
}

/**
 * What was found: a pattern, possibly the start of one that continues after the end, or nothing up
 * to the end; `paused` if there was too much to examine before this position.
 */
interface Find {
  readonly at: number;
  readonly what: Pattern | "beginning" | "nothing" | "paused";
}

class PatternTable {
  readonly longestBytes: number;
  readonly #sorted: Entry[] = [];
  /** Whether any pattern begins with a pair of bytes: most positions need no further check. */
  readonly #starts = new Uint8Array(0x10000);

  constructor(patterns: readonly Pattern[]) {
    this.longestBytes = patterns.reduce((most, { bytes }) => Math.max(most, bytes.byteLength), 0);
    for (const { bytes, label } of patterns.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))) {
      let prefix = this.#sorted.at(-1);
      while (prefix !== undefined && !startsWith(bytes, prefix.bytes)) prefix = prefix.prefix;
      if (prefix?.bytes.byteLength === bytes.byteLength) continue; // two fields with one value
      this.#sorted.push({ bytes, label, prefix });
      this.#starts[bytes[0]! | bytes[1]! << 8] = 1;
    }
  }

  /**
   * The first position from `from` on at which anything is found; of several patterns there, the
   * longest.
   */
  next(text: SearchedText, from: number): Find {
    const { bytes } = text;
    const last = bytes.byteLength - 1;
    let steps = 0;
    for (let at = from; at <= last; at++) {
      if (++steps > MAX_STEPS) return { at, what: "paused" };
      if (at < last && this.#starts[bytes[at]! | bytes[at + 1]! << 8] === 0) continue;
      steps += STEPS_OF_SEARCH;
      const what = this.#findAt(text, at);
      if (what !== undefined) return { at, what };
    }
    return { at: bytes.byteLength, what: "nothing" };
  }

  #findAt(text: SearchedText, at: number): Pattern | "beginning" | undefined {
    const { bytes, ended } = text;
    let [low, high] = [0, this.#sorted.length];
    while (low < high) { // until `low` is the first pattern behind the text in the order of bytes
      const middle = (low + high) >> 1;
      const entry = this.#sorted[middle]!;
      const same = countSame(entry, text, at);
      const isBehind = same < entry.bytes.byteLength &&
        (at + same === bytes.byteLength || entry.bytes[same]! > bytes[at + same]!);
      if (isBehind) high = middle;
      else low = middle + 1;
    }
    const behind = this.#sorted[low];
    if (!ended && behind !== undefined && at + countSame(behind, text, at) === bytes.byteLength) {
      return "beginning";
    }
    // whatever the text begins with, the last pattern before it begins with that, too
    let found = this.#sorted[low - 1];
    const same = found === undefined ? 0 : countSame(found, text, at);
    while (found !== undefined && found.bytes.byteLength > same) found = found.prefix;
    return found;
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.byteLength), start) === 0;
}

/**
 * How many bytes at `at` are those the pattern begins with. No byte of the text is compared twice
 * with a long pattern, however often that begins like the text.
 */
function countSame(pattern: Entry, { bytes, compared }: SearchedText, at: number): number {
  const wanted = pattern.bytes;
  const isLong = wanted.byteLength > LONG_BYTES;
  const known = isLong ? compared.get(pattern) : undefined;
  let count = 0;
  if (known !== undefined && at < known.end) {
    pattern.repeats ??= measureRepeats(wanted);
    const repeated = pattern.repeats[at - known.at]!;
    if (at + repeated < known.end) return repeated;
    count = known.end - at;
  }
  // beyond the end of the text there is `undefined`, which is no byte
  while (count < wanted.byteLength && wanted[count] === bytes[at + count]) count++;
  if (isLong) compared.set(pattern, { at, end: at + count });
  return count;
}

/**
 * For each position, how many bytes there are those that the whole begins with (the Z algorithm:
 * Gusfield, Algorithms on Strings, Trees and Sequences, 1997, section 1.4).
 */
function measureRepeats(bytes: Uint8Array): Uint32Array {
  const repeats = new Uint32Array(bytes.byteLength);
  repeats[0] = bytes.byteLength;
  let [start, end] = [0, 0];
  for (let at = 1; at < bytes.byteLength; at++) {
    let count = at < end ? Math.min(repeats[at - start]!, end - at) : 0;
    while (at + count < bytes.byteLength && bytes[count] === bytes[at + count]) count++;
    repeats[at] = count;
    if (at + count > end) [start, end] = [at, at + count];
  }
  return repeats;
}
