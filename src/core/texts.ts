/** Texts that are cut, quoted, split into words, read as JSON, encoded, and recognized by their bytes. */

import { createHash } from "node:crypto";
import { tryTo } from "./errors.ts";
import { EventLoopYielder } from "./event_loop_yielder.ts";

/** Stands for what was cut off. Programs write it there, too. */
export const CUT_MARK = "…";

/**
 * The mark of a text that was cut where it entered, before stored values were replaced in it: with a
 * word joiner, which no text has there by chance. Redaction leaves {@link CUT_MARK} of it.
 */
export const RAW_CUT_MARK = `${CUT_MARK}\u2060`;

/** At most `max` characters and the mark; no surrogate pair is split. For texts without stored values. */
export function cutText(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}${CUT_MARK}`.toWellFormed() : text;
}

/** The same for texts of others, in which stored values are still to be replaced. */
export function cutRawText(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).toWellFormed() + RAW_CUT_MARK : text;
}

/** The mark alone for a long text: in a message its beginning could end within a stored value. */
export function shortOrMark(text: string, max = 200): string {
  return text.length > max ? CUT_MARK : text.replaceAll(RAW_CUT_MARK, CUT_MARK).toWellFormed();
}

/** Stands for so many characters in the middle of a text. */
export function omissionMark(count: number): string {
  return `[${count} characters omitted]`;
}

/**
 * At most `max` characters: the start and the end of a text that is too long, never half of a
 * surrogate pair.
 * @param share how much of what is kept the start has
 */
export function shorten(text: string, max: number, share = 0.5): string {
  if (text.length <= max) return text;
  const kept = max - gapMark(text.length).length; // no count has more digits
  if (kept <= 0) return trimHalves(text.slice(0, max));
  const head = Math.ceil(kept * share);
  const [start, end] = [text.slice(0, head), text.slice(text.length - (kept - head))];
  // joined, because the engine's sum of slices would keep the whole text in memory
  return [trimHalves(start), gapMark(text.length - kept), trimHalves(end)].join("");
}

function trimHalves(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function gapMark(count: number): string {
  return `\n${omissionMark(count)}\n`;
}

/**
 * A text by which a person decides: what cannot be seen, or changes the order of what is seen, has its
 * number instead, `\u{202e}`. Line breaks, tabs and spaces stay.
 */
export function showHidden(text: string): string {
  return text.toWellFormed().replaceAll(
    /[^\S \n\t]|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]/gu,
    (sign) => /[\n\t]/.test(sign) ? sign : `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  );
}

/** Any value of JSON for a message. Objects are named by their kind: they may have a `toString` of their own. */
export function nameValue(value: unknown): string {
  return typeof value === "object" ? Object.prototype.toString.call(value) : String(value);
}

/** The last line that says something: of a program's output usually the reason why it failed. */
export function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)!.trim();
}

/** Levenshtein distance: the number of characters to insert, delete or replace. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, swap));
    }
    previous = row;
  }
  return previous[b.length]!;
}

/** As one literal word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const XML_NAMES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** As XML has it between tags and in double quotes, where line breaks and tabs stay what they are. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (sign) => XML_NAMES[sign] ?? `&#${sign.charCodeAt(0)};`);
}

/** `undefined` for a text that is no JSON. */
export function tryParseJson(text: string): unknown {
  return tryTo(() => JSON.parse(text)); // the engine's message quotes the text
}

// Encodes a text as UTF-8 and decodes it in pieces: 16 MB in one call would block the main thread.

/** Size of one piece, in UTF-16 code units or bytes: a millisecond at most. */
const PIECE = 128 * 1024;

/** Lone surrogates become U+FFFD. */
export function* encodeText(text: string, pieceLength = PIECE): Iterable<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + pieceLength);
    // keep surrogate pairs together
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end++;
    yield encoder.encode(text.slice(at, end));
    at = end;
  }
}

/** Decodes a text in pieces; invalid UTF-8 becomes U+FFFD. */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  const yielder = new EventLoopYielder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    await yielder.yieldIfDue();
  }
  return text + decoder.decode();
}

// Recognises long texts again without keeping them.

/** Characters of a text that are kept, for messages; more of it than lines and messages show. */
const MAX_KEPT = 200;

/**
 * A short text itself; of a long one its beginning, the mark, and a hash of all of it. The same for
 * the same text only: what a hash ends is longer than every text that stays. A text that was cut where
 * it entered is the mark alone: equal beginnings would tell how a stored value begins.
 */
export function identifyText(text: string): string {
  if (text.endsWith(RAW_CUT_MARK)) return CUT_MARK;
  if (text.length <= MAX_KEPT) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${text.slice(0, MAX_KEPT)}${CUT_MARK}${hash}`.toWellFormed();
}

// The characters in the bytes of UTF-8, so that none is split.

/** In bytes. */
export const LONGEST_CHARACTER = 4;

/** Number of bytes at the end that begin a character whose remaining bytes are missing. */
export function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The sequence length that a character's first byte announces; 1 if the byte cannot begin one. */
export function sequenceLength(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  return 1;
}

/** The name of the file at a path, as RFC 8187 has it. */
export function encodeFileName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", "%27");
}

/** A run of quoted or unquoted characters of a word, or the blanks between words. */
const WORD_TOKEN = /[ \t\r\n]+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^ \t\r\n'"\\]+)/y;

/** What a backslash escapes inside double quotes: as a shell has it, and as Python's `shlex.split`. */
export const IN_SHELL = /\\(["\\$`])/g;
export const IN_SHLEX = /\\(["\\])/g;

/**
 * The words of a command line, as a POSIX shell splits it. Quotes and backslashes are removed; `#`, `$`, `*` and operators have no meaning.
 * @throws Error for a quote without an end, and a backslash at the end
 */
export function splitWords(line: string, escapes: RegExp): string[] {
  const words: string[] = [];
  let word: string | undefined;
  WORD_TOKEN.lastIndex = 0;
  while (WORD_TOKEN.lastIndex < line.length) {
    const begin = line[WORD_TOKEN.lastIndex];
    const token = WORD_TOKEN.exec(line);
    if (token === null) {
      throw new Error(begin === "\\" ? "No escaped character" : "No closing quotation");
    }
    const [, literal, quoted, escaped, plain] = token;
    const text = literal ?? quoted?.replaceAll(escapes, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
