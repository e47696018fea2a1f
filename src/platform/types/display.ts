/** The port for displays: a screen to read, and the input devices that belong to it. */

import type { Delivery, Focus } from "./focus.ts";
import type { Point, Rgb, Size } from "../../core/geometry.ts";
import type { Input } from "./input.ts";
import type { Port, Readiness } from "./port.ts";
import type { Changes, Screen, ScreenAddress } from "./screen.ts";

export interface Displays {
  /**
   * Gives the open display `displayNum`; at once when it is open, else after opening it.
   * @throws ServiceError `unavailable`: there is no such display now.
   */
  open(displayNum: number): Display | Promise<Display>;
  /** Every display that can be reached now. */
  list(): Promise<DisplayInfo[]>;
  /** Whether display 1 can be used now, with a sentence. Never throws. */
  readiness(): Promise<Readiness>;
}

export interface DisplayInfo {
  readonly displayNum: number;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per unit of the coordinates; 1 on X11. */
  readonly scale: number;
  readonly primary: boolean;
}

/** One display: a screen to read, and its input devices. */
export interface Display {
  readonly displayNum: number;
  /** The size now; it follows changes of the resolution. */
  readonly size: Size;
  /** Another one after the display's server was started again; missing where that cannot be told. */
  readonly serverRun?: string;
  /** Reads one pixel; the point must be on the screen. */
  pixel(at: Point): Promise<Rgb>;
  /** Which window gets the keys. */
  readonly focus: Port<Focus>;
  /** When clicks have arrived. */
  readonly delivery: Port<Delivery>;
  /** How pictures of it are read: an address that any thread can open, or a screen of this thread. */
  readonly screen: ScreenAddress | Screen;
  /**
   * Begins to follow what changes on the display; asked again it gives the same.
   * @throws ServiceError `unsupported`: this display does not tell.
   */
  watch(): Promise<Changes>;
  readonly input: Port<Input>;
}
