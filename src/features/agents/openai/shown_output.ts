/** How much of what commands write is shown to the model. */

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

// Keeps the start and the end of a text that is too long.

/** At most `max` characters; never half of a surrogate pair. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = max - gapMark(text.length).length; // no count has more digits
  if (kept <= 0) return wellFormed(text.slice(0, max));
  const mark = gapMark(text.length - kept);
  const head = Math.ceil(kept / 2);
  const [start, end] = [text.slice(0, head), text.slice(text.length - (kept - head))];
  // joined, because the engine's sum of slices would keep the whole text in memory
  return [wellFormed(start), mark, wellFormed(end)].join("");
}

function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function gapMark(count: number): string {
  return `\n[${count} characters left out]\n`;
}
