/** Mouse and keyboard by the RemoteDesktop portal, shared by all monitors of the desktop. */

import type { Input, Point } from "../../../types/mod.ts";
import { LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import type { Notifications, PortalPoint } from "./notifications.ts";
import type { PortalSession } from "./open_session.ts";

/** How long programs take to listen to the first mouse and keyboard of a desktop. */
const WAKE_MS = 300;

/** A monitor, and where its pixels are for the portal. */
export interface PointedMonitor {
  /** @throws ServiceError `permission_denied`: the session may not use the mouse there */
  locate(pixel: Point, session: PortalSession): PortalPoint;
  position(): Promise<Point>;
}

export class PortalDevices extends LayoutDevices {
  constructor(
    private readonly notifications: Notifications,
    private readonly options: Pick<
      LayoutKeyboardOptions,
      "layout" | "clipboard" | "clipboardTyping" | "socket"
    >,
  ) {
    super({ ...options, driver: "portal", compositor: "the desktop portal" });
  }

  /**
   * Makes the devices, which exist from their first event on; input that follows waits until programs
   * listen to them, where there were none before.
   */
  wake(): void {
    const isFirst = !this.options.layout.isKnown;
    this.queue.add(() => this.notifications.wake());
    if (isFirst) this.queue.add(() => {}, WAKE_MS);
  }

  inputOf(monitor: PointedMonitor): Input {
    return this.makeInput({
      move: (pixel) => this.notifications.move((session) => monitor.locate(pixel, session)),
      position: () => monitor.position(),
    });
  }

  /** What is dragged is dropped with the modifiers that were held. */
  override releaseHeld(): void {
    this.releaseButtons();
    this.releaseKeys();
  }

  protected sendKey(keycode: number, isDown: boolean): void {
    this.notifications.key(keycode, isDown);
  }

  protected sendButton(code: number, isDown: boolean): void {
    this.notifications.button(code, isDown);
  }

  protected sendTurn(axis: "vertical" | "horizontal", notches: number): void {
    this.notifications.turn(axis, notches);
  }

  protected async confirmSent(): Promise<void> {
    await this.notifications.confirm();
  }
}
