/** The clipboard as Linux desktops know it: a content has types, and is sent when a program asks for one. */

import type { Parts } from "../../types/mod.ts";

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

/** What this program has put on the clipboard. */
export interface ClipboardOffer {
  /** Whether another program has put something else there. */
  readonly isReplaced: boolean;
  /** Resolves when it is replaced. */
  readonly replaced: Promise<void>;
  /** How often programs have begun to read its text. */
  readonly reads: number;
  /** How often its text was read after its source: by pages of Chromium. */
  readonly pageReads: number;
  /**
   * Whether Chromium has read its text, but its page has not: Chromium reads as soon as the keys come,
   * then asks for the source, and reads again what the page pastes, once that is not busy.
   */
  readonly awaitsPage: boolean;
  /** Resolves when a program that began after this call has read all of it. */
  nextRead(): Promise<void>;
  /** Resolves when the reads under way have ended. */
  awaitReads(): Promise<void>;
}
