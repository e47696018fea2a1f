/** The index of stored values to look for in command output, in all their forms. */

import type { Item } from "./item.ts";
import { type Find, type Pattern, PatternTable, type Searched } from "./pattern_table.ts";

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
    ...lines.map((line) => line.trim()).filter(isTelling),
  ];
  const forms = new Set([...plain, ...plain.flatMap(jsonForms), ...plain.flatMap(urlForms)]);
  return [...forms].filter((form) =>
    hasCharacters(form, MIN_CHARACTERS) && !SHORT_NUMBER.test(form)
  );
}

function isTelling(line: string): boolean {
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
