/** The numbers of the outputs: 1 is the first, and an output keeps its number while it is away. */

export class OutputNumbers {
  readonly #numbers = new Map<string, number>();

  /** @param names of the outputs that there are now, in order */
  constructor(private readonly names: () => readonly string[]) {}

  /** Those in use now, in ascending order. */
  list(): readonly number[] {
    return [...this.#assigned().keys()].sort((a, b) => a - b);
  }

  /** The name of the output with this number, if it is there now. */
  nameOf(number: number): string | undefined {
    return this.#assigned().get(number);
  }

  #assigned(): ReadonlyMap<number, string> {
    const names = this.names();
    // other monitors than all before: nobody knows their numbers yet
    if (names.length > 0 && !names.some((name) => this.#numbers.has(name))) this.#numbers.clear();
    for (const name of names) {
      if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size + 1);
    }
    return new Map(names.map((name) => [this.#numbers.get(name)!, name]));
  }
}
