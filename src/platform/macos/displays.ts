/** The displays of macOS: number n is the n-th monitor, 1 the primary one. */

import { ServiceError } from "../../core/errors.ts";
import { firstColour } from "../../imaging/picture.ts";
import { ComparedChanges, MovingPoller, type Pauses } from "../comparing/compared_changes.ts";
import { available, missing } from "../capability.ts";
import type {
  Accessibility,
  Available,
  Capability,
  Changes,
  Display,
  DisplayInfo,
  Displays,
  Input,
  Readiness,
  ScreenAddress,
  Size,
  Windows,
} from "../types/mod.ts";
import { MacosAccessibility } from "./accessibility/accessibility.ts";
import { MacosClipboard } from "./clipboard.ts";
import { checkOpen, type Desktop, type DesktopState, type MacScreen } from "./desktop.ts";
import { MacosKeyboard, MacosMouse } from "./devices.ts";
import { MacosScreen, screenAddress, type ScreenSource, sizeInPixels } from "./screen.ts";
import {
  INSTALL_CLICLICK,
  NEEDS_ACCESSIBILITY,
  NEEDS_SCREEN_RECORDING,
  type Programs,
} from "./programs.ts";
import { StepQueue } from "./queue.ts";
import { MacosWindows } from "./windows/windows.ts";

export class MacosDisplays implements Displays, AsyncDisposable {
  readonly #parts: DisplayParts;
  readonly #opened = new Map<number, MacosDisplay>();

  constructor(private readonly programs: Programs, private readonly desktop: Desktop) {
    const queue = new StepQueue(programs, () => desktop.checkInput());
    const keyboard = new MacosKeyboard(queue, programs, desktop);
    this.#parts = { programs, desktop, queue, keyboard, clipboard: new MacosClipboard(programs) };
  }

  open(displayNum: number): Display | Promise<Display> {
    const { fresh } = this.desktop;
    if (fresh !== undefined) return this.#findDisplay(displayNum, fresh);
    return this.desktop.read().then((state) => this.#findDisplay(displayNum, state));
  }

  async list(): Promise<DisplayInfo[]> {
    const { screens } = await this.desktop.read();
    return screens.map((screen, index) => ({
      displayNum: index + 1,
      name: screen.name ?? "Display",
      ...sizeInPixels(screen),
      scale: 1,
      primary: index === 0,
    }));
  }

  async readiness(): Promise<Readiness> {
    try {
      const state = await this.desktop.read();
      const problems = listProblems(state, this.programs);
      if (problems.length > 0) return { ready: false, reason: problems.join("; ") };
      const { width, height } = sizeInPixels(state.screens[0]!);
      return { ready: true, reason: `display 1 is ${width}x${height} pixels` };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const display of this.#opened.values()) await display[Symbol.asyncDispose]();
    await this.#parts.queue[Symbol.asyncDispose]();
  }

  /** @throws ServiceError `unavailable` */
  #findDisplay(displayNum: number, state: DesktopState): MacosDisplay {
    checkOpen(state);
    const monitor = state.screens[displayNum - 1];
    if (monitor === undefined) throw noDisplay(displayNum, state);
    const display = this.#opened.getOrInsertComputed(
      displayNum,
      () => new MacosDisplay(displayNum, monitor, this.#parts),
    );
    display.monitor = monitor;
    return display;
  }
}

/** All reasons why display 1 cannot be used, as sentences. */
export function listProblems(state: DesktopState, programs: Programs): string[] {
  return [
    ...(state.closed === undefined ? [] : [state.closed]),
    ...(state.screens.length === 0 ? [NO_SCREENS] : []),
    ...(state.recording === false ? [NEEDS_SCREEN_RECORDING] : []),
    ...listInputProblems(state, programs),
  ];
}

/** The reasons why the mouse and keyboard cannot be used. */
export function listInputProblems(state: DesktopState, programs: Programs): string[] {
  return [
    ...(programs.find("cliclick") === undefined ? [INSTALL_CLICLICK] : []),
    ...(state.accessibility === false ? [NEEDS_ACCESSIBILITY] : []),
  ];
}

// One display of macOS: pictures by screencapture, input by cliclick.

/** Pause between two polls; each runs a process for tenths of a second. */
const PAUSES: Pauses = { firstMs: 250, longestMs: 1_000 };

/** What all displays share. */
interface DisplayParts {
  readonly programs: Programs;
  readonly desktop: Desktop;
  readonly queue: StepQueue;
  readonly keyboard: MacosKeyboard;
  readonly clipboard: MacosClipboard;
}

class MacosDisplay implements Display, AsyncDisposable {
  readonly accessibility: Available<Accessibility>;
  readonly windows: Available<Windows>;
  readonly #input: Input;
  readonly #poller = new MovingPoller(
    async () => screenAddress(await this.#locate()),
    async () => new MacosScreen(await this.#locate()).cursor(),
  );
  readonly #changes = new ComparedChanges(this.#poller, PAUSES);

  constructor(
    readonly displayNum: number,
    /** The display as macOS last reported it. */
    public monitor: MacScreen,
    private readonly parts: DisplayParts,
  ) {
    const { queue } = parts;
    this.#input = {
      driver: "cliclick",
      mouse: new MacosMouse(queue, () => this.monitor),
      keyboard: available(parts.keyboard),
      confirm: () => queue.confirm(),
      releaseAll: () => queue.releaseAll(),
    };
    this.accessibility = available(new MacosAccessibility(parts.programs, () => this.monitor));
    this.windows = available(new MacosWindows(parts.programs, () => this.monitor));
  }

  get size(): Size {
    return sizeInPixels(this.monitor);
  }

  readonly pixel: Display["pixel"] = ({ x, y }) => {
    const screen = new MacosScreen(this.#source());
    const region = { x, y, width: 1, height: 1 };
    return screen.capture(region, { cursor: "hidden" }, firstColour);
  };

  /** Unsupported, and not needed: macOS delivers clicks and the keys after them in order. */
  readonly focus = missing("macOS does not report which window received a click");
  readonly delivery = missing("macOS does not report when a program has handled a click");
  readonly deliveryTracker = missing("macOS does not report which program receives the input");
  readonly realInput = missing("Real input is not told from that of programs on macOS");

  get clipboard(): Available<MacosClipboard> {
    return available(this.parts.clipboard);
  }

  get screen(): ScreenAddress {
    return screenAddress(this.#source());
  }

  watch(): Promise<Changes> {
    return Promise.resolve(this.#changes);
  }

  get input(): Capability<Input> {
    const isThere = this.parts.programs.find("cliclick") !== undefined;
    return isThere ? available(this.#input) : missing(INSTALL_CLICLICK);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#poller[Symbol.asyncDispose]();
  }

  /** Asks at every poll, because the display may be moved, locked or removed between two polls. */
  async #locate(): Promise<ScreenSource> {
    const state = await this.parts.desktop.read();
    checkOpen(state);
    const monitor = state.screens[this.displayNum - 1];
    if (monitor === undefined) throw noDisplay(this.displayNum, state);
    this.monitor = monitor;
    return this.#source();
  }

  #source(): ScreenSource {
    const { programs, desktop } = this.parts;
    const { x, y, width, height, scale } = this.monitor;
    return {
      program: programs.find("screencapture") ?? "screencapture",
      timeoutMs: programs.timeoutMs,
      placement: { x, y, width, height, scale },
      permitted: desktop.last?.recording ?? null,
    };
  }
}

const NO_SCREENS =
  "this Mac has no display for this service: start it in the session of the user at the screen, not over ssh";

function noDisplay(displayNum: number, { screens }: DesktopState): ServiceError {
  const count = screens.length === 1 ? "one display" : `${screens.length} displays`;
  const why = screens.length === 0 ? NO_SCREENS : `this Mac has ${count}`;
  return new ServiceError("unavailable", `Cannot open display ${displayNum}: ${why}`);
}
