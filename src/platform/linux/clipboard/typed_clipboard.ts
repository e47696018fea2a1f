/** The clipboard as Linux desktops know it: a content has types, and is sent when a program asks for one. */

import { countBytes } from "../../../core/bytes.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { ClipboardFormat, Parts } from "../../types/mod.ts";

/** Type (a media type, or the name of an X target) -> bytes; empty where nothing is on the clipboard. */
export type TypedContent = ReadonlyMap<string, Parts>;

/** More types than any program offers; others are left out. */
export const MAX_TYPES = 256;

/** The address from which Chromium, and programs that are built on it, have copied. */
export const SOURCE_TYPE = "chromium/x-source-url";
/** Read by clipboard managers, which then read nothing else and keep it out of their history. */
export const HINT_TYPE = "x-kde-passwordManagerHint";

export interface TypeReading {
  /** The most bytes. */
  readonly maxBytes: number;
  /** How long the program that owns it may send nothing, in milliseconds. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What was read of one type. */
export interface TypedBytes {
  /** The type in which the owner gave it: it can be another one than that asked for. */
  readonly type: string;
  readonly parts: Parts;
}

export interface TypedClipboard {
  /** `false` once the display has gone; it must then be opened again. */
  readonly connected: boolean;
  /**
   * Whether the desktop itself reads every text that comes to the clipboard, once, to keep it for
   * when its owner ends.
   */
  readonly isKeptByDesktop: boolean;
  /**
   * The types of what is there now.
   * @throws ServiceError `timed_out`, `unavailable`; the signal's reason
   */
  types(reading: Omit<TypeReading, "maxBytes">): Promise<readonly string[]>;
  /**
   * `undefined` where its owner does not give it in this type.
   * @throws ServiceError `timed_out`, `too_large`, `unavailable`; the signal's reason
   */
  readType(type: string, reading: TypeReading): Promise<TypedBytes | undefined>;
  /**
   * Puts something there; an empty content clears it.
   * @throws ServiceError `unavailable`; `conflict`: another program has taken it at the same time
   */
  offer(content: TypedContent): Promise<ClipboardOffer>;
  /** Hands what was put there to a clipboard manager, where one runs, and lets go of it. */
  close?(): Promise<void>;
}

/** {@link Offered}, for those who only look at it. */
export type ClipboardOffer = Omit<Offered, "content" | "give">;

// What goes wrong while a clipboard is read, in the words of every desktop.

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The clipboard has more than ${maxBytes} bytes in one format, which is more than the service reads`,
  );
}

export function tooManyFiles(maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `The list of copied files has more than ${maxBytes} bytes: copy fewer files, or their folder`,
  );
}

export function unresponsiveOwner(idleMs: number): ServiceError {
  return new ServiceError(
    "timed_out",
    `The program that owns the clipboard has sent no data for ${Math.ceil(idleMs)} ms: ` +
      "copy something in another program, or clear the clipboard",
  );
}

/** Resolves with what comes through a pipe, and says what is wrong in the words of clipboards. */
export async function translated<T>(
  reading: Promise<T>,
  { maxBytes, idleMs }: TypeReading,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined;
    if (code === "too_large") throw tooLarge(maxBytes);
    if (code === "timed_out") throw unresponsiveOwner(idleMs);
    throw error;
  }
}

/** What this program has put on the clipboard, and who has read it. */
export class Offered {
  /** How often programs have begun to read its text. */
  reads = 0;
  /** How often its text was read after its source: by pages of Chromium. */
  pageReads = 0;
  #isReplaced = false;
  readonly #replaced = Promise.withResolvers<void>();
  /** Resolves when it is replaced. */
  readonly replaced = this.#replaced.promise;
  #isSourceRead = false;
  readonly #typesRead = new Set<string>();
  /** Those who wait for a read that has not begun yet. */
  #waiting: (() => void)[] = [];
  readonly #underWay = new Set<Promise<boolean>>();

  constructor(readonly content: TypedContent) {}

  /** Whether another program has put something else there. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Never becomes `false` again. */
  set isReplaced(isReplaced: boolean) {
    this.#isReplaced = isReplaced;
    this.#replaced.resolve();
  }

  /**
   * Whether Chromium has read its text, but its page has not: Chromium reads as soon as the keys come,
   * then asks for the source, and reads again what the page pastes, once that is not busy. Of a program
   * that reads whatever is there nothing is known.
   */
  get awaitsPage(): boolean {
    const isAllRead = this.#typesRead.size === this.content.size;
    return this.#isSourceRead && !isAllRead && this.pageReads === 0;
  }

  /** Resolves when a program that began after this call has read all of it. */
  nextRead(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when the reads under way have ended. */
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
