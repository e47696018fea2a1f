/** The port for the clipboard of a display. Contents are lists of parts, so that none is ever copied as a whole. */

/** Bytes in parts, which belong together in this order. */
export type Parts = readonly Uint8Array<ArrayBuffer>[];

export type ClipboardFormat = "text" | "html" | "png" | "files";

/** One content in several formats, of which a program takes the one that it knows. */
export interface ClipboardContent {
  /** UTF-8 when it is put there; what another program has put there can be invalid. */
  readonly text?: Parts;
  /** As {@link ClipboardContent.text}. */
  readonly html?: Parts;
  readonly png?: Parts;
  /** Absolute paths. */
  readonly files?: readonly string[];
}

export interface ClipboardReading {
  readonly formats: readonly ClipboardFormat[];
  /** The most bytes of one format. */
  readonly maxBytes: number;
  /** How long the program that gives the content may send nothing, in milliseconds. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** The requested formats that are there, and what there is. */
export interface ReadClipboard {
  readonly content: ClipboardContent;
  /** All formats in which the content can be read. */
  readonly available: readonly ClipboardFormat[];
  /** The system's own names of the formats that the content has. */
  readonly types: readonly string[];
}

export interface Clipboard {
  /**
   * @throws ServiceError `timed_out`: the program that gives the content does not answer;
   *   `too_large`; `conflict`: the content was replaced meanwhile; `unavailable`: the display or the
   *   clipboard cannot be used now; the signal's reason
   */
  read(reading: ClipboardReading): Promise<ReadClipboard>;
  /**
   * Replaces what is there. The content belongs to the clipboard from then on.
   * @throws ServiceError `conflict`: another program has taken the clipboard at the same time;
   *   `unavailable`; the signal's reason
   */
  write(content: ClipboardContent, signal: AbortSignal): Promise<void>;
  /** Leaves nothing there. @throws as {@link write} */
  clear(signal: AbortSignal): Promise<void>;
  /**
   * Begins the pastes of one text into the focused program; disposing puts back what was there.
   * @param press presses and releases the keys that paste; resolves when the system has taken them
   */
  beginPasting(press: () => Promise<void>): Pasting;
}

/** Disposing puts back what was on the clipboard, unless another program has replaced it meanwhile. */
export interface Pasting extends AsyncDisposable {
  /**
   * Pastes a text into the focused program.
   * @throws ServiceError `conflict`: it has not taken the text, as far as the system reports that; the
   *   signal's reason
   */
  paste(text: string, signal?: AbortSignal): Promise<void>;
}
