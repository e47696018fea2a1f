/** Mouse and keyboard by the RemoteDesktop portal, shared by all monitors of the desktop. */

import type { Input, Point, Size } from "../../../types/mod.ts";
import type { MessageBus } from "../../bus/types.ts";
import type { PipeWireStream } from "../../pipewire/stream.ts";
import { type InputSender, LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import { AXES, type Axis } from "../input/mouse.ts";
import { PointerPosition } from "../pointer_position.ts";
import { awaitListeners } from "../unread_bytes.ts";
import type { Control, Device } from "./desktop.ts";
import type { PortalSession, SharedMonitor } from "./open_session.ts";
import { denied, PORTAL, REMOTE_DESKTOP } from "./requests.ts";

export class PortalDevices extends LayoutDevices {
  constructor(
    private readonly notifications: Notifications,
    private readonly options: Pick<
      LayoutKeyboardOptions,
      "layout" | "clipboard" | "clipboardTyping" | "socket"
    >,
  ) {
    const compositor = "the desktop portal";
    super({ ...options, driver: "portal", compositor, sender: notifications });
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

// Input as the RemoteDesktop portal takes it: one call per event. The portal handles each call in a
// thread of its own, so the next one is made when the one before is answered: only that keeps the
// order.

const LEFT_SHIFT = 42;
const PRESSED = 1;
const RELEASED = 0;

/** A point on a monitor, in the monitor's own units. */
interface PortalPoint extends Point {
  /** The node of the monitor in the session that controls. */
  readonly node: number;
}

export class Notifications implements InputSender {
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
