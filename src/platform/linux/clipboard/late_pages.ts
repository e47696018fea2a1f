/** Keeps a pasted text on the clipboard for a page that is too busy to read it yet. */

import { pause, within } from "../../../core/deadline.ts";
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
}

export class LatePages {
  #left: Left | undefined;
  #end = new AbortController();
  #putBack = Promise.resolve();

  /** What comes back in place of a text that is still there for a page. */
  earlier(clipboard: TypedClipboard): TypedContent | undefined {
    const left = this.#left;
    if (left?.clipboard !== clipboard || left.offer.isReplaced) return undefined;
    return left.earlier;
  }

  /** Puts back what was there before as soon as the page has read, and after a minute if it does not. */
  leave(left: Left): void {
    this.#end.abort();
    this.#end = new AbortController();
    this.#left = left;
    this.#putBack = this.#putBackLater(left, this.#end.signal);
  }

  /** Puts back at once what is still to come back. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#putBack;
  }

  async #putBackLater(left: Left, signal: AbortSignal): Promise<void> {
    const { clipboard, offer, earlier } = left;
    if (await within(offer.nextRead(), LATE_MS, signal)) await pause(QUIET_MS);
    try {
      if (!offer.isReplaced && clipboard.connected) await clipboard.offer(earlier);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the display has gone
    } finally {
      if (this.#left === left) this.#left = undefined;
    }
  }
}
