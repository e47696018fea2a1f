/** The key names of the keyboard operations: words, X keysym names and characters map to keysyms. */

import x11 from "x11";
import { FieldError, ServiceError } from "../core/errors.ts";
import { editDistance } from "../core/texts.ts";
import { keysymNameOfWord, WORDS } from "./key_names.ts";
import type { Key } from "./types/mod.ts";
// The multimedia keys of X.Org's XF86keysym.h (xorgproto), by the names that `xev` and `xmodmap` print.
import XF86_KEYSYMS from "./xf86_keysyms.json" with { type: "json" };

/** Unicode keysyms: `0x01000000 + code point` (X protocol, appendix A). */
export const UNICODE_KEYSYM = 0x01000000;

/**
 * Finds a key by name: a word in any case, an exact keysym name, a keysym name in any case if only
 * one fits, or a single character.
 */
export function findKey(name: string): Key | undefined {
  const keysym = keysymOfWord(name) ?? keysymNamed(name) ?? keysymOfOneCharacter(name);
  return keysym === undefined ? undefined : { name, keysym };
}

/** The known names most similar to `name`, best first; empty when none is similar. */
export function nearestKeyNames(name: string, count = 3): string[] {
  const wanted = name.trim().toLowerCase().slice(0, 40);
  const most = wanted.length < 4 ? 1 : wanted.length < 8 ? 2 : 3;
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of [...Object.keys(WORDS), ...keysymTable().byName.keys()]) {
    if (!/^[!-~]{2,}$/.test(candidate)) continue; // one character, or an invisible one
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance > most) continue;
    scored.push({ candidate, score: distance + (Object.hasOwn(WORDS, candidate) ? 0 : 0.5) });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.candidate);
}

/** Splits `ctrl+shift+t`; the plus key is written `+`, alone or after a final `+` (`ctrl++`). */
export function splitCombination(combination: string): string[] {
  if (combination === "+") return ["+"];
  if (combination.endsWith("++")) return [...combination.slice(0, -2).split("+"), "+"];
  return combination.split("+");
}

/** The name of a key of a combination, in which an ASCII letter is its key, and presses no Shift. */
export function lowerLetter(name: string): string {
  return /^[A-Z]$/.test(name) ? name.toLowerCase() : name;
}

/**
 * The keysym that types a character: for Latin-1 the code point itself, otherwise a Unicode keysym.
 */
export function keysymOfCodePoint(codePoint: number): number {
  const latin1 = (codePoint >= 0x20 && codePoint <= 0x7e) ||
    (codePoint >= 0xa0 && codePoint <= 0xff);
  return latin1 ? codePoint : UNICODE_KEYSYM + codePoint;
}

/**
 * The character of a keysym, including legacy keysyms (`Cyrillic_a`, `EuroSign`); `undefined` for
 * keys such as `Return`.
 */
export function codePointOfKeysym(keysym: number): number | undefined {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return keysym;
  if (keysym >= UNICODE_KEYSYM + 0x20 && keysym <= UNICODE_KEYSYM + 0x10ffff) {
    return keysym - UNICODE_KEYSYM;
  }
  return keysymTable().codePoints.get(keysym);
}

/** The first X name of a keysym (`Return`, `Aacute`), if it has one. */
export function keysymName(keysym: number): string | undefined {
  return keysymTable().names.get(keysym);
}

function keysymOfWord(name: string): number | undefined {
  const keysymName = keysymNameOfWord(name);
  return keysymName === undefined ? undefined : keysymTable().byName.get(keysymName);
}

function keysymNamed(name: string): number | undefined {
  const { byName, byLowerCase } = keysymTable();
  if ([...name].length === 1) return undefined; // "a" is the character, which is the same keysym
  return byName.get(name) ?? byLowerCase.get(name.toLowerCase()) ?? undefined;
}

function keysymOfOneCharacter(name: string): number | undefined {
  const codePoint = name.codePointAt(0);
  if (codePoint === undefined || name.length !== String.fromCodePoint(codePoint).length) return;
  if (!name.isWellFormed() || isControl(codePoint)) return undefined;
  return keysymOfCodePoint(codePoint);
}

/** C0 and C1 control characters and DEL. */
export function isControl(codePoint: number): boolean {
  return codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
}

interface KeysymTable {
  readonly byName: ReadonlyMap<string, number>;
  /** Lower-case name -> keysym, `null` where names that differ in case mean different keysyms. */
  readonly byLowerCase: ReadonlyMap<string, number | null>;
  readonly names: ReadonlyMap<number, string>;
  readonly codePoints: ReadonlyMap<number, number>;
}

let table: KeysymTable | undefined;

/** Built on first use from the keysym list of the `x11` package (X.Org's keysymdef.h). */
function keysymTable(): KeysymTable {
  if (table) return table;
  const byName = new Map<string, number>();
  const byLowerCase = new Map<string, number | null>();
  const names = new Map<number, string>();
  const codePoints = new Map<number, number>();
  const add = (name: string, keysym: number) => {
    byName.set(name, keysym);
    if (!names.has(keysym)) names.set(keysym, name);
    const lower = name.toLowerCase();
    const other = byLowerCase.get(lower);
    byLowerCase.set(lower, other === undefined || other === keysym ? keysym : null);
  };
  for (const [name, entry] of Object.entries(x11.keySyms as Record<string, KeysymEntry>)) {
    if (typeof entry !== "object") continue;
    add(name.replace(/^XK_/, ""), entry.code);
    const character = entry.description?.match(/^\((.+?)\)/u)?.[1];
    if (character && [...character].length === 1) {
      codePoints.set(entry.code, character.codePointAt(0)!);
    }
  }
  for (const [name, keysym] of Object.entries(XF86_KEYSYMS)) add(name, Number(keysym));
  return table = { byName, byLowerCase, names, codePoints };
}

interface KeysymEntry {
  readonly code: number;
  /** `(ä) LATIN SMALL LETTER A WITH DIAERESIS`, or `null`. */
  readonly description: string | null;
}

// Splits a text into keystrokes.

/** Most characters that one error lists. */
const MAX_NAMED = 5;

/**
 * One stroke per code point; a line break of any kind is one `\n`.
 * @throws FieldError on `text` for control characters and lone surrogates.
 */
export function splitIntoStrokes(text: string): string[] {
  const strokes: string[] = [];
  const refused: string[] = [];
  let previous = "";
  for (const [position, character] of [...text].entries()) {
    const secondHalf = character === "\n" && previous === "\r";
    previous = character;
    if (secondHalf) continue;
    const codePoint = character.codePointAt(0)!;
    if (isTyped(codePoint)) strokes.push(character === "\r" ? "\n" : character);
    else refused.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, "0")} at ${position}`);
  }
  if (refused.length === 0) return strokes;
  const more = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} more` : "";
  throw new FieldError(
    "text",
    `Characters that cannot be typed: ${refused.slice(0, MAX_NAMED).join(", ")}${more}`,
  );
}

function isTyped(codePoint: number): boolean {
  if (codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d) return true;
  return !isControl(codePoint) && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}

// Counts what needs each key down: several symbols can need the same one, as a modifier.

export class PressCounts {
  readonly #counts = new Map<number, number>();

  keys(): IterableIterator<number> {
    return this.#counts.keys();
  }

  has(key: number): boolean {
    return this.#counts.has(key);
  }

  /** Whether it is the first press, with which the key goes down. */
  press(key: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count === 0;
  }

  /** Whether it is the last release, with which the key goes up. */
  release(key: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) return this.#counts.delete(key);
    this.#counts.set(key, count - 1);
    return false;
  }

  /** The key is up, whatever needed it. */
  forget(key: number): void {
    this.#counts.delete(key);
  }
}

/** A key makes one symbol at a time. */
export function keyTaken(name: string): ServiceError {
  const state = "its key is already held down for another symbol";
  return new ServiceError("conflict", `Cannot press "${name}": ${state}`);
}
