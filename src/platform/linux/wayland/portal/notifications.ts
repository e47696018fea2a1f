/**
 * Input as the RemoteDesktop portal takes it: one call per event. The portal handles each call in a
 * thread of its own, so the next one is made when the one before is answered: only that keeps the
 * order.
 */

import type { MessageBus } from "../../bus/types.ts";
import type { Point } from "../../../types/mod.ts";
import { AXES, type Axis } from "../input/mouse.ts";
import type { Control, Device } from "./control.ts";
import type { PortalSession } from "./open_session.ts";
import { PORTAL, REMOTE_DESKTOP } from "./versions.ts";

const LEFT_SHIFT = 42;
const PRESSED = 1;
const RELEASED = 0;

/** A point on a monitor, in the monitor's own units. */
export interface PortalPoint extends Point {
  /** The node of the monitor in the session that controls. */
  readonly node: number;
}

export class Notifications {
  /** Resolves when everything so far is answered. */
  #answered: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(private readonly bus: MessageBus, private readonly control: Control) {}

  /**
   * Makes the devices, of which programs have to take note before they get events: moves the mouse by
   * nothing, and taps a modifier key. What the person does not allow is left out.
   */
  wake(): void {
    const shift = (state: number): Event => ["KeyboardKeycode", "iu", () => [LEFT_SHIFT, state]];
    const calls: (() => Promise<void>)[] = [
      () => this.#call("mouse", "PointerMotion", "dd", () => [0, 0]),
      () => this.#call("keyboard", ...shift(PRESSED)),
      () => this.#call("keyboard", ...shift(RELEASED)),
    ];
    for (const call of calls) this.#answered = this.#answered.then(call).catch(() => {});
  }

  /** @param locate finds the point in the session; what it throws is thrown by {@link confirm} */
  move(locate: (session: PortalSession) => PortalPoint): void {
    this.#send("mouse", "PointerMotionAbsolute", "udd", (session) => {
      const { node, x, y } = locate(session);
      return [node, x, y];
    });
  }

  button(code: number, isDown: boolean): void {
    this.#send("mouse", "PointerButton", "iu", () => [code, isDown ? PRESSED : RELEASED]);
  }

  /** Positive is down and right. */
  turn(axis: Axis, notches: number): void {
    this.#send("mouse", "PointerAxisDiscrete", "ui", () => [AXES[axis], notches]);
  }

  key(keycode: number, isDown: boolean): void {
    this.#send("keyboard", "KeyboardKeycode", "iu", () => [keycode, isDown ? PRESSED : RELEASED]);
  }

  /**
   * Resolves when the portal has taken everything that was sent.
   * @throws ServiceError `permission_denied` or `unavailable` when something since the last time
   *   could not be sent, or was refused
   */
  async confirm(): Promise<void> {
    let answered;
    do await (answered = this.#answered); while (answered !== this.#answered);
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #send(device: Device, ...event: Event): void {
    this.#answered = this.#answered.then(() => this.#call(device, ...event))
      .catch((error) => this.#failure ??= error);
  }

  /** Each call is answered, because a session that has ended refuses input and says so there only. */
  async #call(device: Device, ...[name, signature, values]: Event): Promise<void> {
    const session = this.control.require(device);
    await this.bus.call({
      ...PORTAL,
      interface: REMOTE_DESKTOP,
      member: `Notify${name}`,
      signature: `oa{sv}${signature}`,
      body: [session.handle, [], ...values(session)],
    });
  }
}

type Event = readonly [
  name: string,
  signature: string,
  values: (session: PortalSession) => readonly unknown[],
];
