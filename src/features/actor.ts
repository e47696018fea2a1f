/** Who calls operations: a program or a person, by the token or the page of the console that it uses. */

import type { Scope } from "../core/groups.ts";

export interface Actor {
  /** Tells two of the same name apart: that of the token or of the page. */
  readonly id: string;
  /** That of the token; `anyone` where none is needed. */
  readonly name: string;
  /** A person acts through a page of the console; everything else is a program. */
  readonly kind: "program" | "person";
  /** What it may do; absent for everything. */
  readonly scopes?: ReadonlySet<Scope>;
  /** The id of the lease by which it acts, as its request names it. */
  readonly lease?: string;
  /**
   * The id of the token or link that lets it in, with whose end (`Revocations`) everything of it
   * ends; absent while no token is needed. A page of a person keeps that of the person's token.
   */
  readonly token?: string;
  /** The desk that its token is for: it reaches no other one, nor the displays of the service. */
  readonly desk?: string;
  /** Of a link to watch: the one live picture that it may see. It may do nothing else. */
  readonly watchOnly?: WatchedPicture;
}

/** The live picture of a display, or of one window of it. */
export interface WatchedPicture {
  readonly display: number;
  readonly window?: string;
  /** The process that the window must be of, where it is known. */
  readonly pid?: number | null | undefined;
  /** Whether a person or a program has given the link. */
  readonly by: Actor["kind"];
}

/** Whether somebody may take over, and say what others may do. */
export function mayControl({ scopes, watchOnly, desk }: Actor): boolean {
  return watchOnly === undefined && desk === undefined && scopes?.has("control") !== false;
}

/** With whose end everything of an actor ends: the id of a token or link, or of {@link ANYONE}. */
export function accessOf({ token }: Actor): string {
  return token ?? ANYONE.id;
}

/**
 * Whether there is room for one more beside the others: those who may not take over have only so much,
 * for each token or link and together, so that a person always finds some.
 */
export function findsRoom(
  actor: Actor,
  others: Iterable<Actor>,
  { each, all }: { readonly each: number; readonly all: number },
): boolean {
  if (mayControl(actor)) return true;
  const watching = [...others].filter((other) => !mayControl(other));
  const own = watching.filter((other) => accessOf(other) === accessOf(actor));
  return watching.length < all && own.length < each;
}

/** Whoever calls a service that asks for no token. */
export const ANYONE: Actor = Object.freeze({ id: "anyone", name: "anyone", kind: "program" });

/** Whoever has the token of `--token-file` or of its variable. */
export const MAIN: Actor = Object.freeze({
  id: "main",
  name: "main",
  kind: "program",
  token: "main",
});

export const MAX_NAME_LENGTH = 64;
/** Names of tokens and links: nothing in them hides, or turns the text around them. */
export const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} ._@-]{0,62}[\p{L}\p{N}\p{M}])?$/u;
export const NAME_RULE =
  "at most 64 letters and digits, with spaces, dots, dashes, _ and @ between them";

// Tells those who serve somebody by a token or a link at once that it has been revoked or is over.

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
