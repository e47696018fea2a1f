/** The shells that keep their state, each under a name. */

import { ServiceError } from "../../core/errors.ts";
import { ShellSession } from "./shell_session.ts";

/** The most that exist at once; for another one, the one that was unused for longest is ended. */
const MAX_SESSIONS = 16;

interface Named {
  readonly session: ShellSession;
  /** How many commands run in it or wait for it. */
  users: number;
}

export class ShellSessions {
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Named>();

  /**
   * Uses the shell of this name, which starts with its first command.
   * @throws ServiceError `unavailable` when there are too many, which are all in use
   */
  async use<T>(name: string, work: (session: ShellSession) => Promise<T>): Promise<T> {
    const used = this.#sessions.get(name) ?? this.#add();
    this.#sessions.delete(name);
    this.#sessions.set(name, used);
    used.users++;
    try {
      return await work(used.session);
    } finally {
      used.users--;
    }
  }

  #add(): Named {
    if (this.#sessions.size >= MAX_SESSIONS) this.#endOldest();
    return { session: new ShellSession(), users: 0 };
  }

  #endOldest(): void {
    for (const [name, { session, users }] of this.#sessions) {
      if (users > 0) continue;
      this.#sessions.delete(name);
      session.restart(new AbortController().signal).catch(() => {}); // it stays listed as a process
      return;
    }
    const message = `${MAX_SESSIONS} shells are in use, which are all that there may be: use one ` +
      "of them, or try again later";
    throw new ServiceError("unavailable", message);
  }
}
