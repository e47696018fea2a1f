/** Keeps a pasted text on the clipboard for a program, or its page, that is too busy to read it yet. */

import { pause, unlessAborted, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { ClipboardOffer, TypedClipboard, TypedContent } from "./typed_clipboard.ts";

/** How long the text stays where nobody reads it again: then its first reader was the only one. */
const LATE_MS = 60_000;
/** Some programs read twice. */
const QUIET_MS = 200;

interface Left {
  readonly clipboard: TypedClipboard;
  /** The text that stays. */
  readonly offer: ClipboardOffer;
  /** What was there before, which comes back. */
  readonly earlier: TypedContent;
  /** Whether nobody has read it: the program still has the keys before it, which paste what is there. */
  readonly isUnread: boolean;
}

export class LatePages {
  #left: Left | undefined;
  #end = new AbortController();
  #putBack = Promise.resolve();

  /** What comes back in place of a text that is still there. */
  earlier(clipboard: TypedClipboard): TypedContent | undefined {
    const left = this.#left;
    if (left?.clipboard !== clipboard || left.offer.isReplaced) return undefined;
    return left.earlier;
  }

  /**
   * Puts back what was there before as soon as the text has been read; after a minute if its page
   * does not, and not at all while the program itself has not read it.
   */
  leave(left: Left): void {
    this.#end = new AbortController();
    this.#left = left;
    this.#putBack = this.#putBackLater(left, this.#end.signal);
  }

  /** Puts nothing back any more: resolves when something else can be put there. */
  async forget(): Promise<void> {
    this.#left = undefined;
    this.#end.abort();
    await this.#putBack;
  }

  /** Puts back at once what is still to come back. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#putBack;
  }

  async #putBackLater(left: Left, signal: AbortSignal): Promise<void> {
    const { clipboard, offer, earlier, isUnread } = left;
    if (isUnread) await this.#awaitProgram(offer, signal);
    if (!isUnread || offer.awaitsPage) await this.#awaitPage(offer, signal);
    try {
      const isWanted = this.#left === left && !offer.isReplaced && clipboard.connected;
      if (isWanted) await clipboard.offer(earlier);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the display has gone
    } finally {
      if (this.#left === left) this.#left = undefined;
    }
  }

  /** Resolves at the end, too, and when nobody can read it any more. */
  async #awaitProgram(offer: ClipboardOffer, signal: AbortSignal): Promise<void> {
    const over = Promise.race([offer.nextRead(), offer.replaced]);
    const isOver = await unlessAborted(over, signal).then(() => true, () => false);
    if (isOver && !offer.isReplaced) await pause(QUIET_MS);
  }

  async #awaitPage(offer: ClipboardOffer, signal: AbortSignal): Promise<void> {
    if (await within(offer.nextRead(), LATE_MS, signal)) await pause(QUIET_MS);
  }
}
