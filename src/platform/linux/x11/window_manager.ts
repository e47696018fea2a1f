/**
 * Asks the window manager whether it has handled all events so far. The Extended Window Manager
 * Hints have no such request, but one with a visible effect: on `_NET_REQUEST_FRAME_EXTENTS` it
 * writes a property on our window, after it has handled all earlier events.
 */

import { within } from "../../../core/deadline.ts";
import { EVENT_MASK } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { createHiddenWindow, internAtoms, listsAtom } from "./window_queries.ts";

/** How long a window manager may take: after that, what it did shows anyway, or it hangs. */
const ANSWER_TIMEOUT_MS = 1_000;
const NO_DATA = [0, 0, 0, 0, 0];
const NAMES = ["_NET_SUPPORTED", "_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"] as const;

export class WindowManager {
  private constructor(
    private readonly connection: X11Connection,
    /** Never mapped. */
    private readonly window: number,
    private readonly atoms: Readonly<Record<typeof NAMES[number], number>>,
  ) {}

  static async open(connection: X11Connection): Promise<WindowManager> {
    const atoms = await internAtoms(connection, NAMES);
    const window = createHiddenWindow(connection, {
      overrideRedirect: 1,
      eventMask: EVENT_MASK.propertyChange,
    });
    return new WindowManager(connection, window, atoms);
  }

  /** Whether there is a window manager that answered in time. */
  async caughtUp(timeoutMs = ANSWER_TIMEOUT_MS): Promise<boolean> {
    const { connection, atoms } = this;
    const hint = { property: atoms._NET_SUPPORTED, atom: atoms._NET_REQUEST_FRAME_EXTENTS };
    return await listsAtom(connection, connection.root, hint) && await this.#answered(timeoutMs);
  }

  async #answered(timeoutMs: number): Promise<boolean> {
    const { connection, window, atoms } = this;
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    using _listening = connection.onEvent((event) => {
      if (event.name !== "PropertyNotify" || event.wid !== window) return;
      if (event.atom === atoms._NET_FRAME_EXTENTS) resolve();
    });
    const mask = EVENT_MASK.substructureNotify | EVENT_MASK.substructureRedirect;
    const request = atoms._NET_REQUEST_FRAME_EXTENTS;
    connection.client.SendClientMessage(connection.root, window, request, 32, NO_DATA, mask);
    return await within(answered, timeoutMs);
  }
}
