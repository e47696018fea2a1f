/**
 * The mouse, through SendInput. All monitors share one cursor; points are relative to one monitor.
 */

import {
  MOUSEEVENTF,
  SM,
  type User32,
  WHEEL_DELTA,
  XBUTTON1,
  XBUTTON2,
} from "../../../ffi/windows/user32.ts";
import { ServiceError } from "../../core/errors.ts";
import { available } from "../capability.ts";
import type { Button, Mouse, PixelWheel, Point, Region } from "../types/mod.ts";
import { type InputQueue, type MouseRecord, moveRecord } from "./input_records.ts";
import { desktopFailure } from "./screen.ts";

export type MouseCalls = Pick<
  User32,
  "GetCursorPos" | "GetSystemMetrics" | "GetAsyncKeyState" | "OpenInputDesktop" | "CloseDesktop"
>;

/** A physical button: `left` is the left one, whatever its function. */
interface DeviceButton {
  readonly down: number;
  readonly up: number;
  readonly data?: number;
  /** Its virtual key, for GetAsyncKeyState. */
  readonly vk: number;
}

const DEVICE = {
  left: { down: MOUSEEVENTF.LEFTDOWN, up: MOUSEEVENTF.LEFTUP, vk: 0x01 },
  right: { down: MOUSEEVENTF.RIGHTDOWN, up: MOUSEEVENTF.RIGHTUP, vk: 0x02 },
  middle: { down: MOUSEEVENTF.MIDDLEDOWN, up: MOUSEEVENTF.MIDDLEUP, vk: 0x04 },
  back: { down: MOUSEEVENTF.XDOWN, up: MOUSEEVENTF.XUP, data: XBUTTON1, vk: 0x05 },
  forward: { down: MOUSEEVENTF.XDOWN, up: MOUSEEVENTF.XUP, data: XBUTTON2, vk: 0x06 },
} as const satisfies Record<Button, DeviceButton>;

export interface WindowsMouseOptions {
  readonly user32: MouseCalls;
  readonly queue: InputQueue;
  /** Returns the current region of the monitor on the virtual screen. */
  readonly monitor: () => Region;
}

export class WindowsMouse implements Mouse {
  /** The last target of the cursor, on the virtual screen, until it is confirmed. */
  #target: Point | undefined;
  /**
   * Pressed buttons and their physical buttons, because the two may be swapped before the release.
   */
  readonly #down = new Map<Button, DeviceButton>();

  readonly notchesAtOnce = 1;
  readonly pixels = available<PixelWheel>({
    scroll: ({ up, right }) =>
      this.options.queue.add(
        ...turn(MOUSEEVENTF.WHEEL, toWheelDelta(up)),
        ...turn(MOUSEEVENTF.HWHEEL, toWheelDelta(right)),
      ),
  });

  constructor(private readonly options: WindowsMouseOptions) {}

  move(to: Point): void {
    const { x, y } = this.options.monitor();
    const target = { x: x + to.x, y: y + to.y };
    this.#target = target;
    this.options.queue.add(moveRecord(target, this.#virtualScreen()));
  }

  press(button: Button): void {
    const device = this.#deviceButton(button);
    this.#down.set(button, device);
    this.options.queue.add(mouseRecord(device, device.down));
  }

  release(button: Button): void {
    const device = this.#down.get(button) ?? this.#deviceButton(button);
    this.#down.delete(button);
    this.options.queue.add(mouseRecord(device, device.up));
  }

  /**
   * Needs no pause: Windows counts every press, whatever its time; Chromium uses the time at which
   * it reads the message.
   */
  separate(_ms: number): void {}

  scroll({ up, right }: { readonly up: number; readonly right: number }): void {
    this.options.queue.add(...turns(MOUSEEVENTF.WHEEL, up), ...turns(MOUSEEVENTF.HWHEEL, right));
  }

  position(): Promise<Point> {
    this.options.queue.send();
    const cursor = this.#cursor();
    if (cursor === undefined) return Promise.reject(noCursor(this.options.user32));
    const { x, y } = this.options.monitor();
    return Promise.resolve({ x: cursor.x - x, y: cursor.y - y });
  }

  /** Returns the target that the cursor has not reached yet, and forgets it. */
  takeTarget(): Point | undefined {
    const target = this.#target;
    this.#target = undefined;
    return target !== undefined && !this.isAt(target) ? target : undefined;
  }

  isAt(target: Point): boolean {
    const cursor = this.#cursor();
    return cursor?.x === target.x && cursor.y === target.y;
  }

  /**
   * Releases every button, no matter which program pressed it: on a locked screen Windows reports
   * no button as down.
   */
  releaseAll(): void {
    const { queue, user32 } = this.options;
    this.#down.clear();
    for (const device of Object.values(DEVICE)) {
      const up = mouseRecord(device, device.up);
      const isDown = queue.hasPressed(up) || user32.GetAsyncKeyState(device.vk) < 0;
      if (isDown && !queue.isReleasing(up)) queue.add(up);
    }
  }

  /** The API's left button is the one that selects: the right one of the device when swapped. */
  #deviceButton(button: Button): DeviceButton {
    const swapped = this.options.user32.GetSystemMetrics(SM.SWAPBUTTON) !== 0;
    if (swapped && button === "left") return DEVICE.right;
    if (swapped && button === "right") return DEVICE.left;
    return DEVICE[button];
  }

  #cursor(): Point | undefined {
    const point = new Int32Array(2);
    if (this.options.user32.GetCursorPos(point) === 0) return undefined;
    return { x: point[0]!, y: point[1]! };
  }

  #virtualScreen(): Region {
    const metric = (index: number) => this.options.user32.GetSystemMetrics(index);
    return {
      x: metric(SM.XVIRTUALSCREEN),
      y: metric(SM.YVIRTUALSCREEN),
      width: metric(SM.CXVIRTUALSCREEN),
      height: metric(SM.CYVIRTUALSCREEN),
    };
  }
}

function noCursor(user32: MouseCalls): ServiceError {
  const action = "Cannot read the position of the cursor";
  return desktopFailure(user32, action, new ServiceError("unavailable", `${action}: try again`));
}

function mouseRecord({ data = 0 }: DeviceButton, flags: number): MouseRecord {
  return { kind: "mouse", flags, data };
}

/** The distance in pixels that browsers scroll for one notch. */
const PIXELS_PER_NOTCH = 100;

function toWheelDelta(pixels: number): number {
  return Math.round(pixels * WHEEL_DELTA / PIXELS_PER_NOTCH);
}

function turn(flags: number, data: number): MouseRecord[] {
  return data === 0 ? [] : [{ kind: "mouse", flags, data }];
}

/** One event for each notch, as a real wheel sends them. */
function turns(flags: number, notches: number): MouseRecord[] {
  const data = Math.sign(notches) * WHEEL_DELTA;
  return Array.from({ length: Math.abs(notches) }, () => ({ kind: "mouse", flags, data }));
}
