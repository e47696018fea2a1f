/** The port for displays: a screen to read, and the input devices that belong to it. */

import type { Accessibility } from "./accessibility.ts";
import type { Clipboard } from "./clipboard.ts";
import type { Delivery, Focus } from "./focus.ts";
import type { DeliveryTracker } from "./delivery_status.ts";
import type { Point, Rgb, Size } from "../../core/geometry.ts";
import type { Input, RealInput } from "./input.ts";
import type { Capability, Readiness } from "./capability.ts";
import type { Changes, Screen, ScreenAddress } from "./screen.ts";
import type { Windows } from "./windows.ts";

export interface Displays {
  /**
   * Returns display `displayNum`: synchronously when it is open, otherwise as a promise that opens
   * it.
   * @throws ServiceError `unavailable`: there is no such display now.
   */
  open(displayNum: number): Display | Promise<Display>;
  /** Every display that can be reached now. */
  list(): Promise<DisplayInfo[]>;
  /** Whether display 1 can be used now, with one sentence of explanation. Never throws. */
  readiness(): Promise<Readiness>;
}

export interface DisplayInfo {
  readonly displayNum: number;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Picture pixels per coordinate unit; 1 on X11. */
  readonly scale: number;
  readonly primary: boolean;
}

/** One display: a screen to read, and its input devices. */
export interface Display {
  readonly displayNum: number;
  /** The size now; it follows changes of the resolution. */
  readonly size: Size;
  /**
   * Identifies the run of the display's server: it changes when the server restarts. Absent where a
   * restart cannot be detected.
   */
  readonly serverRun?: string;
  /** Reads one pixel; the point must be on the screen. */
  pixel(at: Point): Promise<Rgb>;
  /** Which window has the keyboard focus. */
  readonly focus: Capability<Focus>;
  /** When clicks have been delivered. */
  readonly delivery: Capability<Delivery>;
  /** Which programs get the input. */
  readonly deliveryTracker: Capability<DeliveryTracker>;
  /**
   * How the screen is read: an address that any thread can open, or a screen that belongs to this
   * thread.
   */
  readonly screen: ScreenAddress | Screen;
  /**
   * Starts to follow changes on the display; later calls return the same object.
   * @throws ServiceError `unsupported`: this display does not report changes.
   */
  watch(): Promise<Changes>;
  readonly input: Capability<Input>;
  /** When somebody uses the mouse and the keyboard that belong to it. */
  readonly realInput: Capability<RealInput>;
  /** What programs copy and paste by; displays of one desktop share it. */
  readonly clipboard: Capability<Clipboard>;
  /** What programs on it report to assistive technology. */
  readonly accessibility: Capability<Accessibility>;
  /** The variables by which programs open their windows on it; absent where it needs none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Its windows. */
  readonly windows: Capability<Windows>;
  /**
   * What programs count the places of their elements from, where that is not the display: on Wayland
   * none knows where its windows are.
   */
  readonly origin?: "window";
}
