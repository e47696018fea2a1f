/** Tells those who serve somebody by a token or a link at once that it has been revoked or is over. */

import { MAIN } from "./actor.ts";

/** How often it is looked for what has ended, while somebody wants to know, in milliseconds. */
const CHECK_INTERVAL_MS = 400;

export class Revocations implements Disposable {
  static readonly ofService = true;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #checks = new Set<() => void>();
  readonly #followers = new Set<(id: string) => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whether the token of the command line can end, too: that of a file, which is read again. */
  mainEnds = false;

  /**
   * Calls `ended` once when this token or link has ended: what runs by it is to stop. Costs a look at
   * the file of tokens some times a second until it is disposed of.
   * @param id `token` of an actor
   */
  on(id: string, ended: () => void): Disposable {
    if (id === MAIN.token && !this.mainEnds) return { [Symbol.dispose]() {} }; // it ends with the service
    const all = this.#listeners.getOrInsertComputed(id, () => new Set());
    const listener = () => ended(); // one may be given twice
    all.add(listener);
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#checks.forEach((check) => check()), CHECK_INTERVAL_MS);
      Deno.unrefTimer(this.#timer);
    }
    return {
      [Symbol.dispose]: () => {
        all.delete(listener);
        if (all.size === 0 && this.#listeners.get(id) === all) this.#listeners.delete(id);
        this.#rest();
      },
    };
  }

  /** Calls `follow` for each that ends, without anything to pay for it meanwhile. */
  onEach(follow: (id: string) => void): void {
    this.#followers.add(follow);
  }

  /** `check` looks for what has ended, and calls {@link end} for it. */
  addCheck(check: () => void): void {
    this.#checks.add(check);
  }

  /** Whatever is done by this token or link ends now. */
  end(id: string): void {
    for (const follow of this.#followers) follow(id);
    const ended = this.#listeners.get(id);
    this.#listeners.delete(id);
    for (const listener of ended ?? []) listener();
    this.#rest();
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#rest();
  }

  #rest(): void {
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
