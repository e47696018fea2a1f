/**
 * Waits until the program that has the keyboard focus has looked up the keys it was sent: by an answer to
 * `_NET_WM_PING` (Extended Window Manager Hints 1.5) where it takes part, else by time.
 */

import type { XEvent } from "./client.ts";
import { EVENT_MASK } from "./client.ts";
import type { X11Connection } from "./connection.ts";

const PING_TIMEOUT_MS = 1_000;
/** `None` and `PointerRoot`: no window has the focus by itself. */
const LAST_SPECIAL_FOCUS = 1;
const ATOM = 4;
const MAX_DEPTH = 16;

export class FocusedProgram {
  #nonce = 0;

  private constructor(
    private readonly connection: X11Connection,
    private readonly protocols: number,
    private readonly ping: number,
  ) {}

  static async open(connection: X11Connection): Promise<FocusedProgram> {
    const atom = (name: string) =>
      connection.call<number>((done) => connection.client.InternAtom(false, name, done));
    return new FocusedProgram(connection, await atom("WM_PROTOCOLS"), await atom("_NET_WM_PING"));
  }

  /**
   * @param lastUsed when the last of the keys was sent, by `performance.now()`
   * @param settleMs how long a program that cannot be asked is given
   */
  async caughtUp(lastUsed: number, settleMs: number): Promise<void> {
    if (lastUsed === 0) return;
    const window = await this.#pingableWindow();
    if (window !== undefined && await this.#answersPing(window)) return;
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
        if (await this.#takesPart(window)) return window;
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

  async #takesPart(window: number): Promise<boolean> {
    const { client } = this.connection;
    const { data } = await this.connection.call<{ data: Uint8Array }>((done) =>
      client.GetProperty(0, window, this.protocols, ATOM, 0, 64, done as never)
    );
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at + 4 <= data.byteLength; at += 4) {
      if (view.getUint32(at, true) === this.ping) return true;
    }
    return false;
  }

  #answersPing(window: number): Promise<boolean> {
    const { client } = this.connection;
    const nonce = ++this.#nonce;
    return new Promise((resolve) => {
      const finish = (answered: boolean) => {
        clearTimeout(timer);
        this.connection.offEvent(listen);
        if (this.connection.connected) this.#listenToRoot(false);
        resolve(answered);
      };
      const listen = (event: XEvent) => {
        if (event.name !== "ClientMessage" || event.message_type !== this.protocols) return;
        if (event.data[0] === this.ping && event.data[1] === nonce && event.data[2] === window) {
          finish(true);
        }
      };
      const timer = setTimeout(() => finish(false), PING_TIMEOUT_MS);
      this.connection.onEvent(listen);
      this.#listenToRoot(true);
      client.SendClientMessage(window, window, this.protocols, 32, [
        this.ping,
        nonce,
        window,
        0,
        0,
      ], 0);
    });
  }

  /** Answers are sent to the root window, to whoever listens to its substructure. */
  #listenToRoot(on: boolean): void {
    const { client, root } = this.connection;
    client.ChangeWindowAttributes(root, {
      eventMask: EVENT_MASK.structureNotify | (on ? EVENT_MASK.substructureNotify : 0),
    });
  }
}
