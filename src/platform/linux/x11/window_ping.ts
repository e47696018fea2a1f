/**
 * Asks a program whether it has handled all events so far, with `_NET_WM_PING` (Extended Window
 * Manager Hints 1.5): it answers pings in order with its other events.
 */

import { EVENT_MASK, type XEvent } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { internAtom, listsAtom } from "./window_queries.ts";

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
    const protocols = await internAtom(connection, "WM_PROTOCOLS");
    return new WindowPing(connection, protocols, await internAtom(connection, "_NET_WM_PING"));
  }

  /** Whether the window declares support for pings. */
  takesPart(window: number): Promise<boolean> {
    return listsAtom(this.connection, window, { property: this.protocols, atom: this.ping });
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
