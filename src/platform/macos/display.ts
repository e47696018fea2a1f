/** One display of macOS: pictures by screencapture, input by cliclick. */

import { ServiceError } from "../../core/errors.ts";
import { available, missing } from "../open_port.ts";
import { ComparedChanges, type Pauses } from "../comparing/compared_changes.ts";
import type {
  Accessibility,
  Available,
  Changes,
  Display,
  Input,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../types/mod.ts";
import { MacosAccessibility } from "./accessibility/accessibility.ts";
import type { MacosClipboard } from "./clipboard.ts";
import { checkOpen, type Desktop, type DesktopState, type MacScreen } from "./desktop.ts";
import type { MacosDevices } from "./devices.ts";
import { MacosLooker } from "./looker.ts";
import { screenAddress } from "./open_screen.ts";
import { sizeInPixels } from "./placement.ts";
import { INSTALL_CLICLICK, type Programs } from "./programs.ts";
import { MacosScreen, type ScreenSource } from "./screen.ts";
import { MacosWindows } from "./windows/windows.ts";

/** Pause between two looks; each look runs a process for tenths of a second. */
const PAUSES: Pauses = { firstMs: 250, longestMs: 1_000 };

export interface DisplayParts {
  readonly programs: Programs;
  readonly desktop: Desktop;
  /** Shared by all displays. */
  readonly devices: MacosDevices;
  readonly clipboard: MacosClipboard;
}

export class MacosDisplay implements Display, AsyncDisposable {
  /** The display as macOS last reported it. */
  shown: MacScreen;
  readonly accessibility: Available<Accessibility>;
  readonly windows: Available<Windows>;
  readonly #input: Input;
  readonly #looker = new MacosLooker(() => this.#locate());
  readonly #changes = new ComparedChanges(this.#looker, PAUSES);

  constructor(
    readonly displayNum: number,
    shown: MacScreen,
    private readonly parts: DisplayParts,
  ) {
    this.shown = shown;
    this.#input = parts.devices.makeInput(() => this.shown);
    this.accessibility = available(new MacosAccessibility(parts.programs, () => this.shown));
    this.windows = available(new MacosWindows(parts.programs, () => this.shown));
  }

  get size(): Size {
    return sizeInPixels(this.shown);
  }

  async pixel(at: Point): Promise<Rgb> {
    const screen = new MacosScreen(this.#source());
    const region = { ...at, width: 1, height: 1 };
    const color = await screen.capture(region, { cursor: "hidden" }, ({ pixels }) => pixels[0]!);
    return [color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff];
  }

  /** Unsupported, and not needed: macOS delivers clicks and the keys after them in order. */
  readonly focus = missing("macOS does not tell which window has taken a click");
  readonly delivery = missing("macOS does not tell when a program has taken a click");
  readonly recipients = missing("macOS does not tell which program gets the input");

  get clipboard(): Available<MacosClipboard> {
    return available(this.parts.clipboard);
  }

  get screen(): ScreenAddress {
    return screenAddress(this.#source());
  }

  watch(): Promise<Changes> {
    return Promise.resolve(this.#changes);
  }

  get input(): Port<Input> {
    if (this.parts.programs.find("cliclick") === undefined) {
      return { ready: false, reason: INSTALL_CLICLICK };
    }
    return { ready: true, use: this.#input };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#looker[Symbol.asyncDispose]();
  }

  /** Asks on every look, because the display may be moved, locked or removed between two looks. */
  async #locate(): Promise<ScreenSource> {
    const state = await this.parts.desktop.look();
    checkOpen(state);
    const shown = state.screens[this.displayNum - 1];
    if (shown === undefined) throw noDisplay(this.displayNum, state);
    this.shown = shown;
    return this.#source();
  }

  #source(): ScreenSource {
    const { programs, desktop } = this.parts;
    const { x, y, width, height, scale } = this.shown;
    return {
      program: programs.find("screencapture") ?? "screencapture",
      timeoutMs: programs.timeoutMs,
      placement: { x, y, width, height, scale },
      permitted: desktop.last?.recording ?? null,
    };
  }
}

export const NO_SCREENS =
  "this Mac shows no display to this service: start it in the session of the user at the screen, not over ssh";

/** The error for a display number that does not exist. */
export function noDisplay(displayNum: number, { screens }: DesktopState): ServiceError {
  const count = screens.length === 1 ? "one display" : `${screens.length} displays`;
  const why = screens.length === 0 ? NO_SCREENS : `this Mac has ${count}`;
  return new ServiceError("unavailable", `Cannot open display ${displayNum}: ${why}`);
}
