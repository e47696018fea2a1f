/** The monitors of Windows by number: 1 is the primary one, the others in the order of Windows. */

import { CLR_INVALID } from "../../../ffi/windows/graphics.ts";
import { GA_ROOT, SM } from "../../../ffi/windows/user32.ts";
import { poll } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { ComparedChanges, WorkerPoller } from "../comparing/compared_changes.ts";
import { available, missing } from "../capability.ts";
import type {
  Accessibility,
  Available,
  Changes,
  Display,
  DisplayInfo,
  Displays,
  Focus,
  Input,
  Point,
  Readiness,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../types/mod.ts";
import { ElementThread, WindowsAccessibility } from "./accessibility/accessibility.ts";
import { WindowsClipboard } from "./clipboard/clipboard.ts";
import { InputQueue } from "./input_records.ts";
import { WindowsKeyboard } from "./keyboard.ts";
import {
  becomeDpiAware,
  desktopFailure,
  listMonitors,
  type Monitor,
  type ScreenLibraries,
} from "./screen.ts";
import { WindowsMouse } from "./mouse.ts";
import { WindowsRealInput } from "./real_input.ts";
import { WindowsWindows, WindowThread } from "./windows/windows.ts";

/** A list older than this is read again, even if the virtual screen is unchanged. */
const MAX_AGE_MS = 250;
const GEOMETRY = [
  SM.XVIRTUALSCREEN,
  SM.YVIRTUALSCREEN,
  SM.CXVIRTUALSCREEN,
  SM.CYVIRTUALSCREEN,
  SM.CMONITORS,
];

export class WindowsDisplays implements Displays, Disposable {
  readonly #devices: Devices;
  /** By number; a display whose monitor is gone stays, because it may come back. */
  readonly #displays = new Map<number, WindowsDisplay>();
  #monitors: readonly Monitor[] = [];
  #geometry = "";
  #read = 0;

  constructor(libraries: ScreenLibraries) {
    becomeDpiAware(libraries.user32);
    this.#devices = openDevices(libraries);
  }

  open(displayNum: number): WindowsDisplay {
    const monitor = this.#current()[displayNum - 1];
    if (monitor === undefined) throw this.#missing(displayNum);
    const known = this.#displays.get(displayNum);
    if (known?.monitor.name === monitor.name) {
      known.monitor = monitor;
      return known;
    }
    known?.[Symbol.dispose]();
    const display = new WindowsDisplay(displayNum, monitor, this.#devices);
    this.#displays.set(displayNum, display);
    return display;
  }

  list(): Promise<DisplayInfo[]> {
    return Promise.resolve(
      this.#current().map(({ name, width, height, primary }, index) => ({
        displayNum: index + 1,
        name,
        width,
        height,
        scale: 1,
        primary,
      })),
    );
  }

  readiness(): Promise<Readiness> {
    return Promise.resolve(this.state());
  }

  /** Whether display 1 can be seen now. Never throws. */
  state(): Readiness {
    try {
      const display = this.open(1);
      display.pixelNow({ x: 0, y: 0 });
      const { name, width, height } = display.monitor;
      return { ready: true, reason: `Display 1 is "${name}", ${width}x${height}` };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  [Symbol.dispose](): void {
    for (const display of this.#displays.values()) display[Symbol.dispose]();
    this.#devices.clipboard[Symbol.dispose]();
    this.#devices.windows[Symbol.dispose]();
    this.#devices.elements[Symbol.dispose]();
  }

  #current(): readonly Monitor[] {
    const geometry = GEOMETRY.map((index) => this.#devices.user32.GetSystemMetrics(index)).join();
    const now = performance.now();
    if (geometry === this.#geometry && now - this.#read < MAX_AGE_MS) return this.#monitors;
    this.#geometry = geometry;
    this.#read = now;
    return this.#monitors = listMonitors(this.#devices.user32);
  }

  #missing(displayNum: number): ServiceError {
    const count = this.#monitors.length;
    const found = count === 1 ? "there is only display 1" : `there are displays 1 to ${count}`;
    const reason = count === 0 ? "Windows has no screen now" : found;
    const action = `Cannot open display ${displayNum}`;
    const otherwise = new ServiceError("unavailable", `${action}: ${reason}`);
    return count > 0 ? otherwise : desktopFailure(this.#devices.user32, action, otherwise);
  }
}

// The mouse and the keyboard of Windows as the input of one monitor.

/** Time for the cursor to arrive; after that, a person or a confining program holds it back. */
const MAX_MOVE_MS = 200;
const POLL_INTERVAL_MS = 2;

export class WindowsInput implements Input {
  readonly driver = "sendinput";
  readonly keyboard: Available<WindowsKeyboard>;

  constructor(
    readonly mouse: WindowsMouse,
    keyboard: WindowsKeyboard,
    private readonly queue: InputQueue,
  ) {
    this.keyboard = available(keyboard);
  }

  /**
   * Resolves when Windows has accepted every event and the cursor has arrived. Windows does not
   * report which program got the keys.
   */
  async confirm(): Promise<void> {
    this.queue.flush();
    const target = this.mouse.takeTarget();
    if (target === undefined) return;
    await poll(() => this.mouse.isAt(target), {
      everyMs: POLL_INTERVAL_MS,
      timeoutMs: MAX_MOVE_MS,
    });
  }

  async releaseAll(): Promise<void> {
    this.keyboard.use.releaseAll();
    this.mouse.releaseAll();
    await this.confirm();
  }
}

// A monitor of Windows: its screen, and the input devices that all monitors share.

type Devices = ReturnType<typeof openDevices>;

function openDevices({ user32, gdi32 }: ScreenLibraries) {
  const queue = new InputQueue(user32);
  return {
    user32,
    gdi32,
    queue,
    keyboard: new WindowsKeyboard(user32, queue),
    clipboard: new WindowsClipboard(),
    windows: new WindowThread(),
    elements: new ElementThread(),
    realInput: new WindowsRealInput(),
  };
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
    this.#changes ??= new ComparedChanges(new WorkerPoller(this.screen));
    return Promise.resolve(this.#changes);
  }

  readonly focus = available<Focus>({
    keyTarget: () => Promise.resolve(this.#isUnderCursorInFront() ? "clicked" : "elsewhere"),
  });

  readonly delivery = missing(
    "Windows does not hold clicks back, and cannot report whether a program has handled one",
  );

  readonly deliveryTracker = missing("Windows does not report which program receives the input");
  get realInput(): Available<WindowsRealInput> {
    return available(this.devices.realInput);
  }

  get clipboard(): Available<WindowsClipboard> {
    return available(this.devices.clipboard);
  }

  #isUnderCursorInFront(): boolean {
    const { user32 } = this.devices;
    const point = new BigUint64Array(1);
    if (user32.GetCursorPos(point) === 0) return false;
    const window = user32.GetAncestor(user32.WindowFromPoint(point[0]!), GA_ROOT);
    const front = user32.GetForegroundWindow();
    return front !== 0n && window === front;
  }

  [Symbol.dispose](): void {
    this.#changes?.[Symbol.dispose]();
  }

  #noPixel(): ServiceError {
    const action = "Cannot read the pixel";
    const otherwise = new ServiceError("unavailable", `${action}: Windows has no screen now`);
    return desktopFailure(this.devices.user32, action, otherwise);
  }
}
