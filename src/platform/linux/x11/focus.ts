/**
 * Finds out when keys go to the window that was clicked. A window manager holds a click back until
 * it has given the window the focus; keys that are sent earlier arrive in another window, or before
 * the click.
 */

import type { Button, Clicked, Delivery, Focus, KeyTarget, Point } from "../../types/mod.ts";
import { NONE, POINTER_ROOT, type RequestAnswer } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { BUTTONS } from "./mouse.ts";
import { MAX_DEPTH, WindowManager, WindowPing, withAncestors } from "./window_queries.ts";

/** The bit before that of button 1 in a mask of modifiers and buttons, which has those up to 5. */
const BUTTON_0 = 1 << 7;

/** `child` is the child of the queried window that is under the pointer. */
type Pointer = RequestAnswer<"QueryPointer">;

export class X11Focus implements Focus, Delivery {
  #manager: Promise<WindowManager> | undefined;

  constructor(private readonly connection: X11Connection) {}

  async keyTarget({ button, at }: Clicked = {}): Promise<KeyTarget> {
    const { root } = this.connection;
    const pointer = await this.connection.request("QueryPointer", root);
    if (button !== undefined && hasButton(pointer, button)) return "held back";
    const { focus } = await this.connection.request("GetInputFocus");
    if (focus === NONE) return "elsewhere";
    if (focus === POINTER_ROOT || focus === root) return "clicked";
    const frame = isAt(pointer, at) ? pointer.child : await this.#childAt(root, at!);
    if (frame === NONE) return "clicked";
    return await this.#alive(async () =>
        await this.#isInside(focus, frame) || await this.#isUnmanaged(frame)
      )
      ? "clicked"
      : "elsewhere";
  }

  async heldBack(button: Button, { isPatient = false } = {}): Promise<boolean> {
    const { connection } = this;
    const send = isPatient ? "requestPatiently" : "request";
    return hasButton(await connection[send]("QueryPointer", connection.root), button);
  }

  /**
   * Resolves when every client involved in a click has handled it: the window manager, then the
   * program under the pointer, then the window manager again, which possibly has to give the focus
   * to a new window. `false` when the program does not answer.
   */
  async handled(at?: Point): Promise<boolean> {
    const { root } = this.connection;
    const ping = await WindowPing.of(this.connection);
    const manager = await (this.#manager ??= WindowManager.open(this.connection));
    await manager.caughtUp();
    const pointer = await this.connection.request("QueryPointer", root);
    const elsewhere = isAt(pointer, at) ? undefined : at;
    const frame = elsewhere ? await this.#childAt(root, elsewhere) : pointer.child;
    const asked = await this.#alive(async () => {
      const window = await this.#pingable(ping, frame, elsewhere);
      return window !== undefined && await ping.answers(window, frame);
    });
    if (asked) await manager.caughtUp();
    return asked;
  }

  async keysHandled(): Promise<boolean> {
    const { focus } = await this.connection.request("GetInputFocus");
    if (focus === NONE) return true;
    if (focus === POINTER_ROOT || focus === this.connection.root) return await this.handled();
    const ping = await WindowPing.of(this.connection);
    return await this.#alive(async () => {
      const chain = await Array.fromAsync(withAncestors(this.connection, focus));
      for (const window of chain) {
        if (!await ping.takesPart(window)) continue;
        return await ping.answers(window, chain.at(-1));
      }
      return false;
    });
  }

  /** The result of a query about windows; `false` when one of them disappears meanwhile. */
  async #alive(query: () => Promise<boolean>): Promise<boolean> {
    return await this.connection.unlessGone(query()) ?? false;
  }

  /** The child of a window at a point on the screen, or under the pointer. */
  async #childAt(window: number, at: Point | undefined): Promise<number> {
    const { connection } = this;
    const asked = at === undefined
      ? connection.request("QueryPointer", window)
      : connection.request("TranslateCoordinates", connection.root, window, at.x, at.y);
    return (await asked).child;
  }

  /** The outermost window at that point, or under the pointer, that supports pings. */
  async #pingable(ping: WindowPing, frame: number, at?: Point): Promise<number | undefined> {
    let window = frame;
    for (let depth = 0; depth < MAX_DEPTH && window !== NONE; depth++) {
      if (await ping.takesPart(window)) return window;
      window = await this.#childAt(window, at);
    }
    return undefined;
  }

  async #isInside(window: number, ancestor: number): Promise<boolean> {
    for await (const each of withAncestors(this.connection, window)) {
      if (each === ancestor) return true;
    }
    return false;
  }

  /**
   * Whether the window bypasses the window manager (menus, lock screens); such windows take the
   * keyboard in their own ways.
   */
  async #isUnmanaged(window: number): Promise<boolean> {
    return (await this.connection.request("GetWindowAttributes", window)).overrideRedirect !== 0;
  }
}

/** While a click is held back, the pointer state includes its press but not yet its release. */
function hasButton({ keyMask }: Pointer, button: Button): boolean {
  return (keyMask & (BUTTON_0 << BUTTONS[button])) !== 0;
}

function isAt({ rootX, rootY }: Pointer, at: Point | undefined): boolean {
  return at === undefined || (at.x === rootX && at.y === rootY);
}
