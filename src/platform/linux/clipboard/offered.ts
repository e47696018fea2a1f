/** What this program has put on the clipboard, and who has read it. */

import { countBytes } from "../../../core/bytes.ts";
import type { ClipboardFormat, Parts } from "../../types/mod.ts";
import { tooLarge } from "./reading_errors.ts";
import {
  type ClipboardOffer,
  SOURCE_TYPE,
  type TypedBytes,
  type TypedContent,
} from "./typed_clipboard.ts";

export class Offered implements ClipboardOffer {
  reads = 0;
  #isReplaced = false;
  readonly #replaced = Promise.withResolvers<void>();
  #isSourceRead = false;
  pageReads = 0;
  readonly #typesRead = new Set<string>();
  /** Those who wait for a read that has not begun yet. */
  #waiting: (() => void)[] = [];
  readonly #underWay = new Set<Promise<boolean>>();

  constructor(readonly content: TypedContent) {}

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Never becomes `false` again. */
  set isReplaced(isReplaced: boolean) {
    this.#isReplaced = isReplaced;
    this.#replaced.resolve();
  }

  get replaced(): Promise<void> {
    return this.#replaced.promise;
  }

  get awaitsPage(): boolean {
    return this.#isSourceRead && !this.#isAllRead && this.pageReads === 0;
  }

  /** Whether a program reads whatever is there: of Chromium nothing is known then. */
  get #isAllRead(): boolean {
    return this.#typesRead.size === this.content.size;
  }

  nextRead(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async awaitReads(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /**
   * Gives one type to a program, which begins to read with this call.
   * @param send resolves with whether the program has taken all
   */
  async give(type: string, send: (parts: Parts) => Promise<boolean>): Promise<boolean> {
    const parts = this.content.get(type);
    if (parts === undefined) return false;
    const counts = isTextType(type);
    const waiting = counts ? this.#waiting.splice(0) : [];
    this.#note(type, counts);
    const sending = send(parts);
    this.#underWay.add(sending);
    let isComplete = false;
    try {
      return isComplete = await sending;
    } finally {
      this.#underWay.delete(sending);
      if (isComplete) { for (const resolve of waiting) resolve(); }
      else this.#waiting.push(...waiting);
    }
  }

  #note(type: string, isText: boolean): void {
    this.#typesRead.add(type);
    if (type === SOURCE_TYPE) this.#isSourceRead = true;
    if (!isText) return;
    this.reads++;
    if (this.#isSourceRead) this.pageReads++;
  }
}

/** What this program has put there, read by itself. @throws ServiceError `too_large` */
export function readOffered(
  { content }: Offered,
  type: string,
  maxBytes: number,
): TypedBytes | undefined {
  const parts = content.get(type);
  if (parts === undefined) return undefined;
  if (countBytes(parts) > maxBytes) throw tooLarge(maxBytes);
  return { type, parts };
}

// Which types the formats of the service have on Linux, in the order in which they are tried.

/** How the bytes of a type are to be understood. */
export type Encoding = "utf-8" | "latin-1" | "unknown" | "none";

interface FormatType {
  readonly format: ClipboardFormat;
  readonly type: string;
  readonly encoding: Encoding;
}

export const FORMAT_TYPES: readonly FormatType[] = [
  // first, because GTK 3 ends the lines of text/plain with CR LF
  { format: "text", type: "UTF8_STRING", encoding: "utf-8" },
  { format: "text", type: "text/plain;charset=utf-8", encoding: "utf-8" },
  { format: "text", type: "text/plain", encoding: "unknown" },
  { format: "text", type: "STRING", encoding: "latin-1" },
  { format: "text", type: "TEXT", encoding: "unknown" },
  { format: "html", type: "text/html", encoding: "unknown" },
  { format: "png", type: "image/png", encoding: "none" },
  { format: "files", type: "text/uri-list", encoding: "utf-8" },
  { format: "files", type: "x-special/gnome-copied-files", encoding: "utf-8" },
];

/** The formats that these types are, in the order of the table. */
export function formatsOf(types: readonly string[]): ClipboardFormat[] {
  const found = FORMAT_TYPES.filter(({ type }) => types.includes(type));
  return [...new Set(found.map(({ format }) => format))];
}

/** The types of a format that are among those offered. */
export function typesFor(format: ClipboardFormat, types: readonly string[]): FormatType[] {
  return FORMAT_TYPES.filter((each) => each.format === format && types.includes(each.type));
}

/** Whether it is the text itself, and no note about it. */
function isTextType(type: string): boolean {
  return type.startsWith("text/plain") || /^(?:UTF8_STRING|STRING|TEXT|COMPOUND_TEXT)$/.test(type);
}
