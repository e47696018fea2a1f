/**
 * Waits until the program that has the keyboard focus has looked up the keys it was sent: by its answer to a
 * ping where it takes part, else by time.
 */

import type { X11Connection } from "./connection.ts";
import { WindowPing } from "./window_ping.ts";

const PING_TIMEOUT_MS = 1_000;
/** `None` and `PointerRoot`: no window has the focus by itself. */
const LAST_SPECIAL_FOCUS = 1;
const MAX_DEPTH = 16;

export class FocusedProgram {
  private constructor(
    private readonly connection: X11Connection,
    private readonly ping: WindowPing,
  ) {}

  static async open(connection: X11Connection): Promise<FocusedProgram> {
    return new FocusedProgram(connection, await WindowPing.of(connection));
  }

  /**
   * @param lastUsed when the last of the keys was sent, by `performance.now()`
   * @param settleMs how long a program that cannot be asked is given
   */
  async caughtUp(lastUsed: number, settleMs: number): Promise<void> {
    if (lastUsed === 0) return;
    const window = await this.#pingableWindow();
    const timeoutMs = PING_TIMEOUT_MS;
    if (window !== undefined && await this.ping.answers(window, { timeoutMs })) return;
    const rest = lastUsed + settleMs - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }

  /** The focus window or its nearest ancestor that says it answers pings. */
  async #pingableWindow(): Promise<number | undefined> {
    const { client, root } = this.connection;
    const { focus } = await this.connection.call<{ focus: number }>((done) =>
      client.GetInputFocus(done)
    );
    let window = focus;
    try {
      for (let i = 0; i < MAX_DEPTH; i++) {
        if (window <= LAST_SPECIAL_FOCUS || window === root) return undefined;
        if (await this.ping.takesPart(window)) return window;
        const current = window;
        const tree = await this.connection.call<{ parent: number }>((done) =>
          client.QueryTree(current, done)
        );
        window = tree.parent;
      }
    } catch (error) {
      if (!this.connection.connected) throw error; // else the window is gone: there is nobody to wait for
    }
    return undefined;
  }
}
