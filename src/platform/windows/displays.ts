/** The monitors of Windows by number: 1 is the primary one, the others in the order of Windows. */

import { ServiceError } from "../../core/errors.ts";
import { SM } from "../../../ffi/windows/user32.ts";
import type { DisplayInfo, Displays, Readiness } from "../types/mod.ts";
import { desktopFailure } from "./desktop.ts";
import { type Devices, WindowsDisplay } from "./display.ts";
import { type Monitor, MonitorList } from "./monitors.ts";

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
  readonly #list: MonitorList;
  /** By number; a display whose monitor is gone stays, because it may come back. */
  readonly #displays = new Map<number, WindowsDisplay>();
  #monitors: readonly Monitor[] = [];
  #geometry = "";
  #read = 0;

  constructor(private readonly devices: Devices) {
    this.#list = new MonitorList(devices.user32);
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
    const display = new WindowsDisplay(displayNum, monitor, this.devices);
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
    this.#list[Symbol.dispose]();
    this.devices.clipboard[Symbol.dispose]();
    this.devices.windows[Symbol.dispose]();
    this.devices.elements[Symbol.dispose]();
  }

  #current(): readonly Monitor[] {
    const geometry = GEOMETRY.map((index) => this.devices.user32.GetSystemMetrics(index)).join();
    const now = performance.now();
    if (geometry === this.#geometry && now - this.#read < MAX_AGE_MS) return this.#monitors;
    this.#geometry = geometry;
    this.#read = now;
    return this.#monitors = this.#list.read();
  }

  #missing(displayNum: number): ServiceError {
    const count = this.#monitors.length;
    const found = count === 1 ? "there is only display 1" : `displays 1 to ${count} are there`;
    const reason = count === 0 ? "Windows shows no screen now" : found;
    const action = `Cannot open display ${displayNum}`;
    const otherwise = new ServiceError("unavailable", `${action}: ${reason}`);
    return count > 0 ? otherwise : desktopFailure(this.devices.user32, action, otherwise);
  }
}
