/**
 * Links to watch: whoever has one sees the live picture of one display or window until its end, and
 * can do nothing else. They are kept in memory only, and end with the service.
 */

import { randomBytes } from "node:crypto";
import { ServiceError } from "../../core/errors.ts";
import { hashSecret, makeSecret } from "../../core/random_secrets.ts";
import { accessOf, type Actor, Revocations, type WatchedPicture } from "../actor.ts";
import type { Session } from "../session.ts";

const MAX_LINKS = 100;
const PREFIX = "ccw_";

/** What a link shows. */
export interface Watched {
  readonly display_num: number;
  /** One window alone. */
  readonly window?: string | undefined;
}

export interface WatchLink extends Watched {
  readonly id: string;
  /** Who watches by it. */
  readonly name: string;
  /** Who has made it. */
  readonly by: string;
  /** ISO 8601. */
  readonly created: string;
  readonly expires: string;
}

export interface NewLink extends Watched {
  readonly name?: string | undefined;
  readonly expiresInSeconds: number;
  /** The process of the window, where it is known. */
  readonly pid?: number | null | undefined;
}

interface Kept {
  readonly link: WatchLink;
  readonly actor: Actor;
  /** Of its secret. */
  readonly hash: string;
  /** Releases its timer, and who waits for its maker's token to end. */
  readonly held: DisposableStack;
}

export class WatchLinks implements Disposable {
  /** By the ids of their actors. */
  readonly #kept = new Map<string, Kept>();
  readonly #revocations: Revocations;

  constructor(session: Pick<Session, "use">) {
    this.#revocations = session.use(Revocations);
  }

  /**
   * Makes a link, which ends at its time, and with the token of its maker.
   * @returns the link, and the secret that is in its address and cannot be read again
   * @throws ServiceError `conflict` when there are 100
   */
  create(maker: Actor, wanted: NewLink): { readonly link: WatchLink; readonly secret: string } {
    if (this.#kept.size >= MAX_LINKS) {
      throw new ServiceError("conflict", `There are ${MAX_LINKS} links: revoke one first`);
    }
    const { display_num, window, pid, expiresInSeconds } = wanted;
    const secret = makeSecret(PREFIX);
    const id = randomBytes(6).toString("hex");
    const now = Date.now();
    const link: WatchLink = {
      id,
      name: wanted.name ?? `link ${id}`,
      display_num,
      ...(window === undefined ? {} : { window }),
      by: maker.name,
      created: new Date(now).toISOString(),
      expires: new Date(now + expiresInSeconds * 1_000).toISOString(),
    };
    const held = new DisposableStack();
    const timer = setTimeout(() => this.revoke(id), expiresInSeconds * 1_000);
    Deno.unrefTimer(timer);
    held.defer(() => clearTimeout(timer));
    held.use(this.#revocations.on(accessOf(maker), () => this.revoke(id)));
    const actor = makeActor(link, { by: maker.kind, pid });
    this.#kept.set(actor.id, { link, actor, hash: hashSecret(secret), held });
    return { link, secret };
  }

  list(): readonly WatchLink[] {
    return Array.from(this.#kept.values(), ({ link }) => link);
  }

  /** Who watches by this link; `undefined` when there is none, or it has ended. */
  find(secret: string): Actor | undefined {
    const wanted = hashSecret(secret);
    return valid(this.#kept.values().find((kept) => kept.hash === wanted));
  }

  /** The same by the id of its actor. */
  findById(actorId: string): Actor | undefined {
    return valid(this.#kept.get(actorId));
  }

  /**
   * Ends a link, and whoever watches by it.
   * @returns whether there was one
   */
  revoke(id: string): boolean {
    const actorId = actorOf(id);
    this.#kept.get(actorId)?.held.dispose();
    const wasThere = this.#kept.delete(actorId);
    if (wasThere) this.#revocations.end(actorId);
    return wasThere;
  }

  [Symbol.dispose](): void {
    for (const { id } of this.list()) this.revoke(id);
  }
}

function actorOf(linkId: string): string {
  return `watch-${linkId}`;
}

function makeActor(
  { id: linkId, name, display_num, window }: WatchLink,
  how: Pick<WatchedPicture, "by" | "pid">,
): Actor {
  const id = actorOf(linkId);
  const watchOnly = { display: display_num, ...how, ...(window === undefined ? {} : { window }) };
  return Object.freeze({
    id,
    name,
    kind: "program",
    scopes: new Set(["view"] as const),
    token: id,
    watchOnly: Object.freeze(watchOnly),
  });
}

/** The clock may have been set, or the computer asleep, while the timer ran. */
function valid(kept: Kept | undefined): Actor | undefined {
  return kept !== undefined && Date.parse(kept.link.expires) > Date.now() ? kept.actor : undefined;
}
