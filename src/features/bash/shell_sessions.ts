/** The shells that keep their state, each under a name. */

import { ShellSession } from "./shell_session.ts";

/** The most that exist at once; beyond them the one that was unused for longest is ended. */
const MAX_SESSIONS = 16;

export class ShellSessions {
  /** In the order of their last use. */
  readonly #sessions = new Map<string, ShellSession>();

  /** The shell of this name, which starts with its first command. */
  get(name: string): ShellSession {
    const session = this.#sessions.get(name) ?? new ShellSession();
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    if (this.#sessions.size > MAX_SESSIONS) this.#endOldest();
    return session;
  }

  #endOldest(): void {
    const [name, session] = this.#sessions.entries().next().value!;
    this.#sessions.delete(name);
    session.restart(new AbortController().signal).catch(() => {}); // it stays listed as a process
  }
}
