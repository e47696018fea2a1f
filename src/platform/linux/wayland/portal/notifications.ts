/** Input as the RemoteDesktop portal takes it: one call per event, in order. */

import type { MessageBus } from "../../bus/types.ts";
import type { Control, Device } from "./control.ts";
import { PORTAL, REMOTE_DESKTOP } from "./names.ts";

const PRESSED = 1;
const RELEASED = 0;
const AXIS = { vertical: 0, horizontal: 1 } as const;

export class Notifications {
  #pending = 0;
  #isIdle: PromiseWithResolvers<void> | undefined;
  #failure: unknown;

  constructor(private readonly bus: MessageBus, private readonly control: Control) {}

  /** Moves by nothing: makes the mouse, of which programs have to take note before it clicks. */
  wakeMouse(): void {
    this.#send("mouse", "PointerMotion", "dd", [0, 0]);
  }

  /** @param node of the monitor in the session that controls; the point is in its own units */
  move(node: number, x: number, y: number): void {
    this.#send("mouse", "PointerMotionAbsolute", "udd", [node, x, y]);
  }

  button(code: number, isDown: boolean): void {
    this.#send("mouse", "PointerButton", "iu", [code, isDown ? PRESSED : RELEASED]);
  }

  /** Positive is down and right. */
  turn(axis: keyof typeof AXIS, notches: number): void {
    this.#send("mouse", "PointerAxisDiscrete", "ui", [AXIS[axis], notches]);
  }

  key(keycode: number, isDown: boolean): void {
    this.#send("keyboard", "KeyboardKeycode", "iu", [keycode, isDown ? PRESSED : RELEASED]);
  }

  /**
   * Resolves when the portal has taken everything that was sent.
   * @throws ServiceError `permission_denied` or `unavailable` when it has refused something since
   *   the last time
   */
  async confirm(): Promise<void> {
    while (this.#pending > 0) {
      this.#isIdle ??= Promise.withResolvers();
      await this.#isIdle.promise;
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Each call is answered, because a session that has ended refuses input and says so there only. */
  #send(
    device: Device,
    member: string,
    signature: string,
    body: readonly unknown[],
  ): void {
    this.#pending++;
    this.#call(device, { member: `Notify${member}`, signature: `oa{sv}${signature}`, body })
      .catch((error) => this.#failure ??= error)
      .finally(() => this.#settle());
  }

  async #call(
    device: Device,
    { body, ...call }: { readonly member: string; signature: string; body: readonly unknown[] },
  ): Promise<void> {
    const { handle } = this.control.require(device);
    const whole = [handle, [], ...body];
    await this.bus.call({ ...PORTAL, interface: REMOTE_DESKTOP, ...call, body: whole });
  }

  #settle(): void {
    if (--this.#pending > 0) return;
    this.#isIdle?.resolve();
    this.#isIdle = undefined;
  }
}
