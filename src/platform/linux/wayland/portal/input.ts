/** Mouse and keyboard by the RemoteDesktop portal, shared by all monitors of the desktop. */

import { available } from "../../../capability.ts";
import type { Button, Capability, Input, Point } from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { ActiveLayout } from "../input/active_layout.ts";
import { LayoutKeyboard } from "../input/keyboard.ts";
import { InputQueue, WaylandMouse } from "../input/mouse.ts";
import type { UnreadBytesReader } from "../unread_bytes.ts";
import type { Notifications, PortalPoint } from "./notifications.ts";
import type { PortalSession } from "./open_session.ts";

/** How long programs take to listen to the first mouse and keyboard of a desktop. */
const WAKE_MS = 300;

export interface DevicesOptions {
  readonly notifications: Notifications;
  readonly layout: ActiveLayout;
  readonly clipboard: Capability<LinuxClipboard>;
  /** Whether text may pass through the clipboard. */
  readonly clipboardTyping: boolean;
  readonly unread: UnreadBytesReader;
}

/** A monitor, and where its pixels are for the portal. */
export interface PointedMonitor {
  /** @throws ServiceError `permission_denied`: the session may not use the mouse there */
  locate(pixel: Point, session: PortalSession): PortalPoint;
  position(): Promise<Point>;
}

export class PortalDevices {
  readonly keyboard: LayoutKeyboard;
  readonly #queue = new InputQueue();
  readonly #down = new Set<Button>();
  #mouse: WaylandMouse | undefined;

  constructor(private readonly options: DevicesOptions) {
    const { notifications, layout, clipboard, clipboardTyping, unread } = options;
    this.keyboard = new LayoutKeyboard({
      compositor: "the desktop portal",
      layout,
      clipboard,
      clipboardTyping,
      unread,
      send: (keycode, isDown) => this.#queue.add(() => notifications.key(keycode, isDown)),
      confirm: () => this.confirm(),
    });
  }

  /**
   * Makes the devices, which exist from their first event on; input that follows waits until programs
   * listen to them, where there were none before.
   */
  wake(): void {
    const { notifications, layout } = this.options;
    const isFirst = !layout.isKnown;
    this.#queue.add(() => notifications.wake());
    if (isFirst) this.#queue.add(() => {}, WAKE_MS);
  }

  makeInput(monitor: PointedMonitor): Input {
    const { notifications } = this.options;
    const mouse = this.#mouse = new WaylandMouse({
      down: this.#down,
      calls: {
        move: (pixel) =>
          this.#queue.add(() => notifications.move((session) => monitor.locate(pixel, session))),
        button: (code, isDown, delayMs) =>
          this.#queue.add(() => notifications.button(code, isDown), delayMs),
        turn: (axis, notches) => this.#queue.add(() => notifications.turn(axis, notches)),
      },
      position: () => monitor.position(),
    });
    return {
      driver: "portal",
      mouse,
      keyboard: available(this.keyboard),
      confirm: () => this.confirm(),
      releaseAll: () => this.releaseAll(),
    };
  }

  async releaseAll(): Promise<void> {
    this.#mouse?.releaseAll(); // all know the buttons that are down
    this.keyboard.releaseAll();
    await this.confirm();
  }

  async confirm(): Promise<void> {
    await this.#queue.sent();
    await this.options.notifications.confirm();
  }
}
