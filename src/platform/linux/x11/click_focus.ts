/**
 * Tells when keys go where was clicked. A window manager holds a click back until it has given the
 * window the focus; keys that are sent before that arrive in another window, or before the click.
 */

import type { Button, Clicks, KeyTarget } from "../../types.ts";
import type { X11Connection } from "./connection.ts";
import { WindowManager } from "./window_manager.ts";
import { WindowPing } from "./window_ping.ts";

/** Buttons in a mask of keys and buttons; the protocol has none for the others. */
const BUTTON_MASKS: Readonly<Partial<Record<Button, number>>> = {
  left: 1 << 8,
  middle: 1 << 9,
  right: 1 << 10,
};
/** The window that is no window, and the focus that follows the pointer. */
const NONE = 0;
const POINTER_ROOT = 1;
const MAX_DEPTH = 16;
/** What a program or a window manager that hangs is given. */
const ANSWER_TIMEOUT_MS = 1_000;

export class X11Clicks implements Clicks {
  #asking: Promise<{ ping: WindowPing; manager: WindowManager }> | undefined;

  constructor(private readonly connection: X11Connection) {}

  /** @param button the one that was clicked, unless it is held down on purpose */
  async keyTarget(button?: Button): Promise<KeyTarget> {
    const { client, root } = this.connection;
    const pointer = await this.#pointer(root);
    // a click that is held back is not yet in the state of the pointer: its press is, its release is not
    const mask = button === undefined ? 0 : BUTTON_MASKS[button] ?? 0;
    if ((pointer.keyMask & mask) !== 0) return "held back";
    const { focus } = await this.connection.call<{ focus: number }>((done) =>
      client.GetInputFocus(done)
    );
    if (focus === NONE) return "elsewhere";
    if (focus === POINTER_ROOT || focus === root || pointer.child === NONE) return "clicked";
    return await this.#alive(async () =>
        await this.#isInside(focus, pointer.child) || await this.#isUnmanaged(pointer.child)
      )
      ? "clicked"
      : "elsewhere";
  }

  /**
   * Resolves when everybody who has to do with a click has handled it: the window manager, then the program
   * under the pointer, then the window manager again, which may have a new window to give the focus to.
   * `false` when the program does not answer.
   */
  async handled(): Promise<boolean> {
    const { ping, manager } = await this.#open();
    await manager.caughtUp(ANSWER_TIMEOUT_MS);
    const { child: frame } = await this.#pointer(this.connection.root);
    const asked = await this.#alive(async () => {
      const window = await this.#pingable(ping, frame);
      return window !== undefined &&
        await ping.answers(window, { timeoutMs: ANSWER_TIMEOUT_MS, frame });
    });
    if (asked) await manager.caughtUp(ANSWER_TIMEOUT_MS);
    return asked;
  }

  #open(): Promise<{ ping: WindowPing; manager: WindowManager }> {
    const { connection } = this;
    return this.#asking ??= (async () => ({
      ping: await WindowPing.of(connection),
      manager: await WindowManager.open(connection),
    }))();
  }

  /** What a look at windows tells; `false` when one of them goes meanwhile. */
  async #alive(look: () => Promise<boolean>): Promise<boolean> {
    try {
      return await look();
    } catch (error) {
      if (!this.connection.connected) throw error;
      return false;
    }
  }

  #pointer(window: number): Promise<{ child: number; keyMask: number }> {
    return this.connection.call((done) => this.connection.client.QueryPointer(window, done));
  }

  /** The outermost window under the pointer that answers pings. */
  async #pingable(ping: WindowPing, frame: number): Promise<number | undefined> {
    let window = frame;
    for (let depth = 0; depth < MAX_DEPTH && window !== NONE; depth++) {
      if (await ping.takesPart(window)) return window;
      window = (await this.#pointer(window)).child;
    }
    return undefined;
  }

  async #isInside(window: number, ancestor: number): Promise<boolean> {
    const { client, root } = this.connection;
    let current = window;
    for (let depth = 0; depth < MAX_DEPTH && current !== root; depth++) {
      if (current === ancestor) return true;
      const child = current;
      const tree = await this.connection.call<{ parent: number }>((done) =>
        client.QueryTree(child, done)
      );
      current = tree.parent;
    }
    return false;
  }

  /** Windows that no window manager touches (menus, locks) take the keyboard in their own ways. */
  async #isUnmanaged(window: number): Promise<boolean> {
    const { overrideRedirect } = await this.connection.call<{ overrideRedirect: number }>((done) =>
      this.connection.client.GetWindowAttributes(window, done)
    );
    return overrideRedirect !== 0;
  }
}
