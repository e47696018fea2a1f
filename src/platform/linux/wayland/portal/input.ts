/** Mouse and keyboard by the RemoteDesktop portal, shared by all monitors of the desktop. */

import type { Input, Point, Size } from "../../../types/mod.ts";
import type { PipeWireStream } from "../../pipewire/stream.ts";
import { LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import type { Axis } from "../input/mouse.ts";
import { PointerPosition } from "../pointer_position.ts";
import { awaitListeners } from "../unread_bytes.ts";
import type { Notifications, PortalPoint } from "./notifications.ts";
import type { PortalSession, SharedMonitor } from "./open_session.ts";
import { denied } from "./requests.ts";

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
    if (isFirst) this.queue.hold(() => awaitListeners(this.options.socket));
  }

  inputOf(monitor: MonitorPointer): Input {
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

  protected sendTurn(axis: Axis, notches: number): void {
    this.notifications.turn(axis, notches);
  }

  protected async confirmSent(): Promise<void> {
    await this.notifications.confirm();
  }
}

// Where the pixels of a shared monitor are for the portal, and where the cursor is.

export class MonitorPointer {
  readonly #position: PointerPosition;

  constructor(
    private readonly monitor: SharedMonitor,
    private readonly stream: Pick<PipeWireStream, "size" | "cursor" | "cursorPosition">,
  ) {
    this.#position = new PointerPosition(stream);
  }

  /** In the desktop's own units. */
  get logicalSize(): Size {
    return this.monitor.size ?? this.stream.size;
  }

  /** @throws ServiceError `permission_denied`: the session may not use the mouse there */
  locate(pixel: Point, session: PortalSession): PortalPoint {
    const { node } = findMonitor(session, this.monitor);
    const [from, to] = [this.stream.size, this.logicalSize];
    this.#position.move(pixel);
    return {
      node,
      x: toUnits(pixel.x, from.width, to.width),
      y: toUnits(pixel.y, from.height, to.height),
    };
  }

  /** @throws ServiceError `unavailable`: the cursor is on another monitor, or hidden */
  position(): Promise<Point> {
    return this.#position.read();
  }
}

/** The session that controls can be another one than that of the pictures. */
function findMonitor(session: PortalSession, pictured: SharedMonitor): SharedMonitor {
  const { monitors } = session;
  if (monitors.includes(pictured)) return pictured;
  const same = monitors.find(({ position: { x, y } }) =>
    x === pictured.position.x && y === pictured.position.y
  );
  if (same === undefined) throw denied("otherMonitor");
  return same;
}

/** The middle of the pixel, so that rounding in between does not hit another one. */
function toUnits(pixel: number, pixels: number, units: number): number {
  return pixels === units ? pixel : (pixel + 0.5) * units / pixels;
}
