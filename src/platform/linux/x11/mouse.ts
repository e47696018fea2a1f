/** The pointer through XTEST. */

import { missing } from "../../capability.ts";
import type { Button, Mouse, Point } from "../../types/mod.ts";
import type { XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";

/** Button numbers of the X protocol; 4 to 7 are the wheel. */
export const BUTTONS = { left: 1, middle: 2, right: 3, back: 8, forward: 9 } satisfies Record<
  Button,
  number
>;
export const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
const LAST_BUTTON = 9;

export class X11Mouse implements Mouse {
  readonly notchesAtOnce = 1;
  readonly pixels = missing(
    "Cannot scroll by pixels: the wheel of XTEST only has notches; scroll by `clicks` without `unit`",
  );
  /** Called after each press, while it is followed who gets it. */
  afterPress: (() => void) | undefined;
  readonly #down = new Set<Button>();
  /** The delay that the server applies to the next press, in milliseconds. */
  #delay = 0;

  constructor(private readonly connection: X11Connection, private readonly xtest: XTest) {}

  /** Whether a button that was pressed here has not been released. */
  get isPressed(): boolean {
    return this.#down.size > 0;
  }

  move({ x, y }: Point): void {
    this.xtest.FakeInput(this.xtest.MotionNotify, 0, 0, this.connection.root, x, y);
  }

  press(button: Button): void {
    this.#down.add(button);
    this.#send(this.xtest.ButtonPress, BUTTONS[button]);
    this.afterPress?.();
  }

  release(button: Button): void {
    this.#down.delete(button);
    this.#send(this.xtest.ButtonRelease, BUTTONS[button]);
  }

  /**
   * The server itself waits (XTEST's `time`), for this connection only, so the time passes however
   * late it reads the request.
   */
  separate(ms: number): void {
    this.#delay = ms;
  }

  scroll({ up, right }: { up: number; right: number }): void {
    this.#turn(up > 0 ? WHEEL.up : WHEEL.down, Math.abs(up));
    this.#turn(right > 0 ? WHEEL.right : WHEEL.left, Math.abs(right));
  }

  async position(): Promise<Point> {
    const { rootX, rootY } = await this.connection.request("QueryPointer", this.connection.root);
    return { x: rootX, y: rootY };
  }

  /** Releases every button; the server ignores the release of a button that is not down. */
  releaseAll(): void {
    this.#down.clear();
    for (let button = 1; button <= LAST_BUTTON; button++) {
      this.#send(this.xtest.ButtonRelease, button);
    }
  }

  #turn(button: number, notches: number): void {
    for (let i = 0; i < notches; i++) {
      this.#send(this.xtest.ButtonPress, button);
      this.afterPress?.();
      this.#send(this.xtest.ButtonRelease, button);
    }
  }

  #send(type: number, button: number): void {
    this.xtest.FakeInput(type, button, this.#delay, 0, 0, 0);
    this.#delay = 0;
  }
}
