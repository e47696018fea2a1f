/** Mouse and keyboard by the RemoteDesktop portal, shared by all monitors of the desktop. */

import { available } from "../../../open_port.ts";
import type { Button, Input, Key, PlanOptions, Point, TextPlan } from "../../../types/mod.ts";
import type { ActiveLayout } from "../input/active_layout.ts";
import { InputQueue } from "../input/input_queue.ts";
import { LayoutKeyboard, type LayoutKeyboardOptions } from "../input/keyboard.ts";
import { RemoteMouse } from "../input/remote_mouse.ts";
import type { Paste } from "../input/text_plan.ts";
import type { Notifications } from "./notifications.ts";

const LEFT_SHIFT = 42;
/** How long programs take to listen to the first mouse and keyboard of a desktop. */
const WAKE_MS = 300;

export interface DevicesOptions {
  readonly notifications: Notifications;
  readonly layout: ActiveLayout;
  readonly paste: Paste;
  /** Whether a keyboard is attached to the desktop, be it that of the portal. */
  hasKeyboard(): boolean;
}

/** A monitor, and where its pixels are for the portal. */
export interface PointedMonitor {
  /** @throws ServiceError `permission_denied`: mouse and keyboard may not be used there */
  locate(pixel: Point): { readonly node: number } & Point;
  position(): Promise<Point>;
}

export class PortalDevices {
  readonly keyboard: LayoutKeyboard;
  readonly #queue = new InputQueue();
  readonly #down = new Set<Button>();

  constructor(private readonly options: DevicesOptions) {
    const { notifications, layout, paste } = options;
    this.keyboard = new LayoutKeyboard({
      compositor: "the desktop portal",
      layout,
      paste,
      send: (keycode, isDown) => this.#queue.add(() => notifications.key(keycode, isDown)),
      confirm: () => this.confirm(),
    });
  }

  /**
   * Makes the devices, which exist from their first event on; input that follows waits until programs
   * listen to them, where there were none before.
   */
  wake(): void {
    const { notifications, hasKeyboard } = this.options;
    const isFirst = !hasKeyboard();
    this.#queue.add(() => notifications.wakeMouse());
    for (const isDown of [true, false]) {
      this.#queue.add(() => notifications.key(LEFT_SHIFT, isDown));
    }
    if (isFirst) this.#queue.add(() => {}, WAKE_MS);
  }

  makeInput(monitor: PointedMonitor): Input {
    const { notifications } = this.options;
    const mouse = new RemoteMouse({
      queue: this.#queue,
      down: this.#down,
      calls: {
        move: (pixel) => notifications.move(() => monitor.locate(pixel)),
        button: (code, isDown) => notifications.button(code, isDown),
        turn: (axis, notches) => notifications.turn(axis, notches),
      },
      position: () => monitor.position(),
    });
    return {
      driver: "portal",
      mouse,
      keyboard: available(this.keyboard),
      confirm: () => this.confirm(),
      releaseAll: async () => {
        mouse.releaseAll();
        this.keyboard.releaseAll();
        await this.confirm();
      },
    };
  }

  async confirm(): Promise<void> {
    await this.#queue.sent();
    await this.options.notifications.confirm();
  }
}
