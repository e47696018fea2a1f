/**
 * Asks a program whether it has handled all events so far, with `_NET_WM_PING` (Extended Window
 * Manager Hints 1.5): it answers pings in order with its other events.
 */

import { EVENT_MASK, type XEvent } from "./client.ts";
import type { X11Connection } from "./connection.ts";

const ATOM = 4;

const pings = new WeakMap<X11Connection, Promise<WindowPing>>();

export interface PingOptions {
  readonly timeoutMs: number;
  /** The child of the root that contains the window: once it closes, no answer will come. */
  readonly frame?: number;
}

export class WindowPing {
  #nonce = 0;
  #listening = 0;

  private constructor(
    private readonly connection: X11Connection,
    private readonly protocols: number,
    private readonly ping: number,
  ) {}

  /** All callers on one connection share its event selection. */
  static of(connection: X11Connection): Promise<WindowPing> {
    const known = pings.get(connection) ?? WindowPing.#open(connection);
    pings.set(connection, known);
    return known;
  }

  static async #open(connection: X11Connection): Promise<WindowPing> {
    const atom = (name: string) =>
      connection.call<number>((done) => connection.client.InternAtom(false, name, done));
    return new WindowPing(connection, await atom("WM_PROTOCOLS"), await atom("_NET_WM_PING"));
  }

  /** Whether the window declares support for pings. */
  async takesPart(window: number): Promise<boolean> {
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

  /** Whether the window answers within `timeoutMs` and before it closes. */
  answers(window: number, { timeoutMs, frame = window }: PingOptions): Promise<boolean> {
    const { client } = this.connection;
    const nonce = ++this.#nonce;
    return new Promise((resolve) => {
      const finish = (answered: boolean) => {
        clearTimeout(timer);
        this.connection.offEvent(listen);
        this.#listenToRoot(-1);
        resolve(answered);
      };
      const listen = (event: XEvent) => {
        if (event.name === "UnmapNotify" || event.name === "DestroyNotify") {
          if (event.wid === frame) finish(false);
          return;
        }
        if (event.name !== "ClientMessage" || event.message_type !== this.protocols) return;
        if (event.data[0] === this.ping && event.data[1] === nonce && event.data[2] === window) {
          finish(true);
        }
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.connection.onEvent(listen);
      this.#listenToRoot(1);
      client.SendClientMessage(window, window, this.protocols, 32, [
        this.ping,
        nonce,
        window,
        0,
        0,
      ], 0);
    });
  }

  /**
   * Answers are sent to the root window and reach the clients that select its substructure events.
   */
  #listenToRoot(change: 1 | -1): void {
    const { client, root, connected } = this.connection;
    this.#listening += change;
    if (!connected) return;
    client.ChangeWindowAttributes(root, {
      eventMask: EVENT_MASK.structureNotify |
        (this.#listening > 0 ? EVENT_MASK.substructureNotify : 0),
    });
  }
}
