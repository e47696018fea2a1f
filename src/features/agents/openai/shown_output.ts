/** How much of what commands write is shown to the model. */

import { shorten } from "./shorten.ts";

/** Characters shown of one output, where its call does not say how many. */
const MAX_ONE = 64_000;
/** Characters shown of all outputs of a response. */
const MAX_ALL = 1_000_000;
/** With less than this left, an output that does not fit is left out as a whole. */
const MIN_PART = 200;

/** The outputs of one response. */
export class ShownOutput {
  #left = MAX_ALL;

  /** The text, or the start and the end of one that is too long. */
  take(text: string, max = MAX_ONE): string {
    if (text.length > this.#left && this.#left < MIN_PART) {
      return `[${text.length} characters left out]`.slice(0, max);
    }
    const shown = shorten(text, Math.min(max, this.#left));
    this.#left -= shown.length;
    return shown;
  }
}
