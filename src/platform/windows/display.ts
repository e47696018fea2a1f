/** A monitor of Windows: its screen, and the input devices that all monitors share. */

import { ServiceError } from "../../core/errors.ts";
import { CLR_INVALID } from "../../../ffi/windows/gdi32.ts";
import { GA_ROOT } from "../../../ffi/windows/user32.ts";
import type {
  Accessibility,
  Available,
  Changes,
  Display,
  Focus,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../types/mod.ts";
import { available, missing } from "../open_port.ts";
import { ComparedChanges } from "../comparing/compared_changes.ts";
import { WorkerLooker } from "../comparing/worker_looker.ts";
import { WindowsAccessibility } from "./accessibility/accessibility.ts";
import type { ElementThread } from "./accessibility/element_thread.ts";
import type { WindowsClipboard } from "./clipboard/clipboard.ts";
import { desktopFailure } from "./desktop.ts";
import { WindowsInput } from "./input.ts";
import type { InputQueue } from "./input_queue.ts";
import type { WindowsKeyboard } from "./keyboard.ts";
import type { Monitor } from "./monitors.ts";
import { WindowsMouse } from "./mouse.ts";
import type { ScreenLibraries } from "./screen.ts";
import type { WindowThread } from "./windows/window_thread.ts";
import { WindowsWindows } from "./windows/windows.ts";

/** The devices that all monitors share. */
export interface Devices extends ScreenLibraries {
  readonly queue: InputQueue;
  readonly keyboard: WindowsKeyboard;
  readonly clipboard: WindowsClipboard;
  readonly windows: WindowThread;
  readonly elements: ElementThread;
}

export class WindowsDisplay implements Display, Disposable {
  readonly screen: ScreenAddress<"gdi">;
  readonly input: Available<WindowsInput>;
  readonly accessibility: Available<Accessibility>;
  readonly windows: Available<Windows>;
  #changes: ComparedChanges | undefined;

  constructor(
    readonly displayNum: number,
    /** Position and size, as last read. */
    public monitor: Monitor,
    private readonly devices: Devices,
  ) {
    const { user32, queue, keyboard, windows, elements } = devices;
    this.screen = { backend: "gdi", name: monitor.name };
    const mouse = new WindowsMouse({ user32, queue, monitor: () => this.monitor });
    this.input = available(new WindowsInput(mouse, keyboard, queue));
    this.windows = available(new WindowsWindows(windows, () => this.monitor));
    this.accessibility = available(new WindowsAccessibility(elements, () => this.monitor));
  }

  get size(): Size {
    const { width, height } = this.monitor;
    return { width, height };
  }

  pixel(at: Point): Promise<Rgb> {
    return Promise.try(() => this.pixelNow(at));
  }

  /** @throws ServiceError `unavailable`: no screen can be read now */
  pixelNow({ x, y }: Point): Rgb {
    const { user32, gdi32 } = this.devices;
    const screen = user32.GetDC(null);
    const colour = gdi32.GetPixel(screen, this.monitor.x + x, this.monitor.y + y);
    user32.ReleaseDC(null, screen);
    if (colour === CLR_INVALID) throw this.#noPixel();
    return [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  }

  watch(): Promise<Changes> {
    if (this.#changes?.connected === false) this.#changes = undefined;
    this.#changes ??= new ComparedChanges(new WorkerLooker(this.screen));
    return Promise.resolve(this.#changes);
  }

  readonly focus: Port<Focus> = {
    ready: true,
    use: {
      keyTarget: () => Promise.resolve(this.#isUnderCursorInFront() ? "clicked" : "elsewhere"),
    },
  };

  readonly delivery = missing(
    "Windows holds no click back, and has no question that a program answers after one",
  );

  readonly recipients = missing("Windows does not tell which program gets the input");
  get clipboard(): Available<WindowsClipboard> {
    return available(this.devices.clipboard);
  }

  #isUnderCursorInFront(): boolean {
    const { user32 } = this.devices;
    const point = new BigUint64Array(1);
    if (user32.GetCursorPos(point) === 0) return false;
    const window = user32.GetAncestor(user32.WindowFromPoint(point[0]!), GA_ROOT);
    const front = user32.GetForegroundWindow();
    return front !== null && Deno.UnsafePointer.equals(window, front);
  }

  [Symbol.dispose](): void {
    this.#changes?.[Symbol.dispose]();
  }

  #noPixel(): ServiceError {
    const action = "Cannot read the pixel";
    const otherwise = new ServiceError("unavailable", `${action}: Windows shows no screen now`);
    return desktopFailure(this.devices.user32, action, otherwise);
  }
}
