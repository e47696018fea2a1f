/**
 * Asks programs whether they have looked up the keys that they were sent. A program that supports
 * pings answers them in order with its other events; about other programs nothing is known.
 */

import type { X11Connection } from "./connection.ts";
import { WindowPing } from "./window_ping.ts";
import { withAncestors } from "./window_queries.ts";

/** How long to wait for the answer to one ping. */
const PING_TIMEOUT_MS = 1_000;

/**
 * `silent`: a program supports pings and has not answered; `unknown`: a program does not support
 * them.
 */
export type Verdict = "caught up" | "unknown" | "silent";

export class Programs {
  private constructor(
    private readonly connection: X11Connection,
    private readonly ping: WindowPing,
  ) {}

  static async open(connection: X11Connection): Promise<Programs> {
    return new Programs(connection, await WindowPing.of(connection));
  }

  /** Asks the programs of these windows; a window that has closed has no key to look up. */
  async caughtUp(windows: Iterable<number>): Promise<Verdict> {
    const verdicts = await Promise.all([...windows].map((window) => this.#askOne(window)));
    if (verdicts.includes("silent")) return "silent";
    return verdicts.length === 0 || verdicts.includes("unknown") ? "unknown" : "caught up";
  }

  async #askOne(window: number): Promise<Verdict> {
    try {
      const pingable = await this.#pingableWindow(window);
      if (pingable === undefined) return "unknown";
      const answered = await this.ping.answers(pingable, { timeoutMs: PING_TIMEOUT_MS });
      return answered ? "caught up" : "silent";
    } catch (error) {
      if (!this.connection.connected) throw error;
      return "caught up"; // the window has gone
    }
  }

  /** The window, or its nearest ancestor, that declares support for pings. */
  async #pingableWindow(window: number): Promise<number | undefined> {
    for await (const each of withAncestors(this.connection, window)) {
      if (await this.ping.takesPart(each)) return each;
    }
    return undefined;
  }
}
