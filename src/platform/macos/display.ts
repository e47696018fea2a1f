/** One display of macOS: what it shows by screencapture, its input by cliclick. */

import { ServiceError } from "../../errors.ts";
import type { Changes, Display, Input, Point, Port, Rgb, ScreenAddress, Size } from "../types.ts";
import type { Desktop, MacScreen } from "./desktop.ts";
import { MacosKeyboard } from "./keyboard.ts";
import type { Lane } from "./lane.ts";
import { MacosMouse } from "./mouse.ts";
import { addressOf } from "./open_screen.ts";
import { Pasteboard } from "./pasteboard.ts";
import { INSTALL_CLICLICK, type Programs } from "./programs.ts";
import { StepQueue } from "./queue.ts";
import { MacosScreen, type ScreenSource } from "./screen.ts";

export interface DisplayParts {
  readonly programs: Programs;
  readonly desktop: Desktop;
  /** Shared by all displays. */
  readonly lane: Lane;
}

export class MacosDisplay implements Display, AsyncDisposable {
  /** Where it is, as macOS has last told. */
  shown: MacScreen;
  readonly #queue: StepQueue;
  readonly #input: Input;

  constructor(
    readonly displayNum: number,
    shown: MacScreen,
    private readonly parts: DisplayParts,
  ) {
    this.shown = shown;
    const { programs, desktop, lane } = parts;
    const queue = this.#queue = new StepQueue(programs, lane, () => desktop.checkInput());
    this.#input = {
      driver: "cliclick",
      mouse: new MacosMouse(queue, () => this.shown),
      keyboard: new MacosKeyboard(queue, new Pasteboard(programs), desktop),
      confirm: () => queue.confirm(),
      releaseAll: () => queue.releaseAll(),
    };
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

  /** macOS gives a click and the keys that follow it to the same program in order. */
  keysFollowClick(): Promise<boolean> {
    return Promise.resolve(true);
  }

  get screen(): ScreenAddress {
    return addressOf(this.#source());
  }

  watch(): Promise<Changes> {
    return Promise.reject(
      new ServiceError(
        "unsupported",
        "macOS does not tell this service what changes on the screen: compare pictures instead",
      ),
    );
  }

  get input(): Port<Input> {
    if (this.parts.programs.find("cliclick") === undefined) {
      return { ready: false, reason: INSTALL_CLICLICK };
    }
    return { ready: true, use: this.#input };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
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

/** The coordinates of the interface are pixels, as everywhere. */
export function sizeInPixels({ width, height, scale }: MacScreen): Size {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
