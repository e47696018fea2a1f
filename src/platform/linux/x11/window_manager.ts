/**
 * Asks the window manager whether it has handled all events so far. The Extended Window Manager
 * Hints have no such request, but one with a visible effect: on `_NET_REQUEST_FRAME_EXTENTS` it
 * writes a property on our window, after it has handled all earlier events.
 */

import { EVENT_MASK, type XEvent } from "./client.ts";
import type { X11Connection } from "./connection.ts";

const ATOM = 4;
const INPUT_ONLY = 2;
/** More hints than any window manager lists. */
const MAX_SUPPORTED = 1_024;

export class WindowManager {
  private constructor(
    private readonly connection: X11Connection,
    /** Never mapped. */
    private readonly window: number,
    private readonly atoms: Readonly<Record<"supported" | "request" | "extents", number>>,
  ) {}

  static async open(connection: X11Connection): Promise<WindowManager> {
    const { client, root } = connection;
    const atom = (name: string) =>
      connection.call<number>((done) => client.InternAtom(false, name, done));
    const atoms = {
      supported: await atom("_NET_SUPPORTED"),
      request: await atom("_NET_REQUEST_FRAME_EXTENTS"),
      extents: await atom("_NET_FRAME_EXTENTS"),
    };
    const window = client.AllocID();
    client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {
      overrideRedirect: 1,
      eventMask: EVENT_MASK.propertyChange,
    });
    return new WindowManager(connection, window, atoms);
  }

  /** Whether there is a window manager that answered within `timeoutMs`. */
  async caughtUp(timeoutMs: number): Promise<boolean> {
    return await this.#answers() && await this.#answered(timeoutMs);
  }

  async #answers(): Promise<boolean> {
    const { client, root } = this.connection;
    const { data } = await this.connection.call<{ data: Uint8Array }>((done) =>
      client.GetProperty(0, root, this.atoms.supported, ATOM, 0, MAX_SUPPORTED, done as never)
    );
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at + 4 <= data.byteLength; at += 4) {
      if (view.getUint32(at, true) === this.atoms.request) return true;
    }
    return false;
  }

  #answered(timeoutMs: number): Promise<boolean> {
    const { client, root } = this.connection;
    return new Promise((resolve) => {
      const finish = (answered: boolean) => {
        clearTimeout(timer);
        this.connection.offEvent(listen);
        resolve(answered);
      };
      const listen = (event: XEvent) => {
        if (event.name !== "PropertyNotify" || event.wid !== this.window) return;
        if (event.atom === this.atoms.extents) finish(true);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.connection.onEvent(listen);
      const mask = EVENT_MASK.substructureNotify | EVENT_MASK.substructureRedirect;
      client.SendClientMessage(root, this.window, this.atoms.request, 32, [0, 0, 0, 0, 0], mask);
    });
  }
}
