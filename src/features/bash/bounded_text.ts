/** The beginning and the end of a text that arrives in pieces and may be of any length. */

/** Characters that are kept of the beginning, and of the end. */
const KEPT = 32_000;
/** Longest mark with what follows it up to its end. */
const MARK_LENGTH = 64;

export class BoundedText {
  #head = "";
  #tail = "";
  #leftOut = 0;

  constructor(text = "") {
    this.add(text);
  }

  add(text: string): void {
    const room = KEPT - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    // the end stays long enough for a mark that has arrived in part
    const surplus = this.#tail.length - 2 * KEPT - MARK_LENGTH;
    if (surplus > 0) this.#leaveOut(surplus + KEPT);
  }

  /**
   * Ends the text before `mark`, and gives what comes after it; `undefined` while the mark, or the
   * record separator that ends it, has not arrived.
   */
  cutAt(mark: string): string | undefined {
    const text = this.#head + this.#tail;
    const at = text.lastIndexOf(mark);
    if (at < 0 || !text.includes("\x1e", at + mark.length)) return undefined;
    const after = text.slice(at + mark.length);
    this.#head = text.slice(0, Math.min(at, this.#head.length));
    this.#tail = text.slice(this.#head.length, at);
    return after;
  }

  toString(): string {
    if (this.#leftOut === 0 && this.#tail.length <= KEPT) return this.#head + this.#tail;
    const surplus = this.#tail.length - KEPT;
    if (surplus > 0) this.#leaveOut(surplus);
    return `${this.#head}\n[... ${this.#leftOut} characters are left out ...]\n${this.#tail}`
      .toWellFormed();
  }

  #leaveOut(count: number): void {
    this.#tail = this.#tail.slice(count);
    this.#leftOut += count;
  }
}
