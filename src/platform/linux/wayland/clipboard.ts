/** The port for the clipboard of a Wayland session, by which texts are pasted. */

/** Media type -> bytes; empty where nothing is on the clipboard. */
export type ClipboardContent = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface Clipboard {
  /**
   * Whether the desktop itself reads every text that comes to the clipboard, once, to keep it for
   * when its owner ends.
   */
  readonly isKeptByDesktop: boolean;
  /** What is on it now, as far as its owner gives that in time. */
  read(signal?: AbortSignal): Promise<ClipboardContent>;
  /**
   * Puts something on it; an empty content clears it.
   * @throws ServiceError `unavailable`
   */
  offer(content: ClipboardContent): Promise<ClipboardOffer>;
}

/** What this program has put on the clipboard. */
export interface ClipboardOffer {
  /** Whether another program has put something else there. */
  readonly isReplaced: boolean;
  /** How often programs have begun to read its text. */
  readonly reads: number;
  /** Resolves when a program has read it whole that began after this call. */
  nextRead(): Promise<void>;
}
