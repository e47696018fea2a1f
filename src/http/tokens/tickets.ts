/**
 * Tickets, by which a page opens a WebSocket: a browser sends no header of the page's with it, and an
 * address is seen by too many for a token to be in it. A ticket is good once, for half a minute, and
 * for one target.
 */

import { ServiceError } from "../../core/errors.ts";
import { hashSecret, makeSecret } from "../../core/random_secrets.ts";
import { accessOf, type Actor, findsRoom, type Revocations } from "../../features/actor.ts";

const VALID_MS = 30_000;
const MAX_ALIVE = 1_000;
/** Of those who may not take over. */
const MAX_WATCHING = { each: 16, all: 800 } as const;

interface Ticket {
  readonly actor: Actor;
  readonly target: string;
  /** By the clock of the process, in milliseconds. */
  readonly expires: number;
}

export class Tickets {
  /** By their hashes, the oldest first. */
  readonly #alive = new Map<string, Ticket>();

  /** @param now the clock, in milliseconds; a test may have its own */
  constructor(
    revocations: Pick<Revocations, "onEach">,
    private readonly now: () => number = () => performance.now(),
  ) {
    revocations.onEach((id) => this.#forget(id));
  }

  /**
   * A ticket by which `actor` may open `target` within 30 seconds.
   * @param target what it is for
   * @throws ServiceError `too_many_requests` while 1,000 are alive; for one who may not take over, 16
   * of the same token or link
   */
  issue(actor: Actor, target: string): string {
    this.#forgetLate();
    const others = this.#alive.values().map((ticket) => ticket.actor);
    if (this.#alive.size >= MAX_ALIVE || !findsRoom(actor, others, MAX_WATCHING)) {
      throw new ServiceError("too_many_requests", "Too many tickets are unused: try again");
    }
    const ticket = makeSecret("");
    this.#alive.set(hashSecret(ticket), { actor, target, expires: this.now() + VALID_MS });
    return ticket;
  }

  /** Who may open `target` by this ticket, which is void from now on; `undefined` for nobody. */
  redeem(ticket: string, target: string): Actor | undefined {
    const hash = hashSecret(ticket);
    const found = this.#alive.get(hash);
    this.#alive.delete(hash);
    if (found === undefined || found.expires <= this.now()) return undefined;
    return found.target === target ? found.actor : undefined;
  }

  /** The tickets that were issued by a token or a link that has ended, or while none was needed. */
  #forget(id: string): void {
    for (const [hash, { actor }] of this.#alive) {
      if (accessOf(actor) === id) this.#alive.delete(hash);
    }
  }

  #forgetLate(): void {
    const now = this.now();
    for (const [hash, { expires }] of this.#alive) {
      if (expires > now) return;
      this.#alive.delete(hash);
    }
  }
}
