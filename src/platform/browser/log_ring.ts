/** Keeps the newest entries of a log. */

export class LogRing<Entry extends { readonly number: number }> {
  readonly #entries: Entry[] = [];
  #last = 0;

  constructor(private readonly max: number) {}

  add(make: (number: number) => Entry): Entry {
    const entry = make(++this.#last);
    this.#entries.push(entry);
    if (this.#entries.length > this.max) this.#entries.shift();
    return entry;
  }

  replace(entry: Entry): void {
    const at = this.#entries.findIndex(({ number }) => number === entry.number);
    if (at >= 0) this.#entries[at] = entry;
  }

  /** The first entries after `since`, and how many after it are forgotten. */
  after(
    since: number,
    max: number,
  ): { readonly entries: readonly Entry[]; readonly dropped: number } {
    const first = this.#entries[0]?.number ?? this.#last + 1;
    return {
      entries: this.#entries.filter(({ number }) => number > since).slice(0, max),
      dropped: Math.max(0, first - since - 1),
    };
  }
}
