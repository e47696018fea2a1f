/** Runs the changes of one name one after the other, in the order of the calls, and those of others at the same time. */

export class InOrder {
  /** The last change of each name that has one under way; never rejects. */
  readonly #last = new Map<string, Promise<void>>();

  run(name: string, change: () => Promise<void>): Promise<void> {
    const before = this.#last.get(name);
    const result = before === undefined ? change() : before.then(change);
    const ended = result.catch(() => {}).then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    this.#last.set(name, ended);
    return result;
  }
}
