/**
 * Hides what was typed where programs show it again: a title, the name of a tab or of a row. Texts are
 * often typed in parts, so what was typed is one text, whoever typed its parts and whatever came
 * between them.
 */

import { CUT_MARK } from "../../core/texts.ts";
import { typedCharacter } from "../shown_fields.ts";

/** Characters of what was typed last that are known. */
const MAX_KNOWN = 32_768;
/** Of one text; the rest of a long one is in no name. */
const MAX_EACH = 16_384;
/** A word with so many characters in a row that were typed is hidden; a shorter one if it was typed as it is. */
const GRAM = 5;
const WORD = /[\p{L}\p{N}\p{M}_@#$%&+'.-]+/gu;

export class TypedWords {
  #text = "";
  readonly #grams = new Set<string>();
  readonly #short = new Set<string>();

  /** Notes what a call types, by its checked fields. */
  note(group: string, input: unknown): void {
    let left = MAX_KNOWN; // a list can have a thousand long texts
    for (const text of typedTexts(group, input)) {
      this.add(text.slice(0, left));
      if ((left -= Math.min(text.length, MAX_EACH)) <= 0) break;
    }
  }

  add(given: string): void {
    const text = given.slice(0, MAX_EACH).toLowerCase();
    if (text === "") return;
    const start = Math.max(0, this.#text.length - GRAM + 1);
    this.#text += text;
    if (this.#text.length > MAX_KNOWN) {
      this.#text = this.#text.slice(-MAX_EACH);
      this.#grams.clear();
      this.#short.clear();
      this.#learn(0);
    } else this.#learn(start);
    this.#learnShort(text);
  }

  /** The text with {@link CUT_MARK} in place of each word that has what was typed in it. */
  hide(text: string): string {
    if (this.#text === "") return text; // nothing was typed
    return text.replace(WORD, (word) => this.#isTyped(word.toLowerCase()) ? CUT_MARK : word);
  }

  #isTyped(word: string): boolean {
    if (word.length < GRAM) return this.#short.has(word);
    for (let at = 0; at + GRAM <= word.length; at++) {
      if (this.#grams.has(word.slice(at, at + GRAM))) return true;
    }
    return false;
  }

  #learn(from: number): void {
    for (let at = from; at + GRAM <= this.#text.length; at++) {
      this.#grams.add(this.#text.slice(at, at + GRAM));
    }
  }

  /** The words of this text, and the last one together with what was typed before it. */
  #learnShort(text: string): void {
    const around = this.#text.slice(-(text.length + GRAM));
    for (const words of [text, around]) {
      for (const [word] of words.matchAll(WORD)) {
        if (word.length < GRAM) this.#short.add(word);
      }
    }
  }
}

/** What a call types, or puts where it is pasted from. */
function typedTexts(group: string, input: unknown): readonly string[] {
  const { text, value, key } = (input ?? {}) as Readonly<Record<string, unknown>>;
  switch (group) {
    case "keyboard":
    case "browser":
      return [text, value, typeof key === "string" ? typedCharacter(key) : key].flatMap(asTexts);
    case "accessibility":
      return asTexts(value);
    case "clipboard":
      return asTexts(text);
    default:
      return [];
  }
}

function asTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return Array.isArray(value) ? value.flatMap(asTexts) : [];
}
