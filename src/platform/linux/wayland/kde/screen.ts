/** Reads one output of a KWin session as a screen, by an address that any thread can open. */

import { ServiceError } from "../../../../core/errors.ts";
import { openHeldBus, type OwnCommand } from "../../bus/held_connection.ts";
import { openBus } from "../../bus/message_bus.ts";
import { promptBus } from "../../bus/prompt_bus.ts";
import type { MessageBus } from "../../bus/types.ts";
import type {
  CaptureOptions,
  CursorState,
  MeasuredScreen,
  Picture,
  Region,
  ScreenAddress,
  Size,
  UsePicture,
} from "../../../types/mod.ts";
import { ScreenShots } from "./screen_shot.ts";

/** How any thread connects to the session bus. */
export interface BusWay {
  /** The address of the session bus. */
  readonly bus: string;
  /** Starts the process that connects in place of a service into which KWin cannot look. */
  readonly command?: OwnCommand | undefined;
}

/**
 * Connects so that KWin sees which program it is: it reads `/proc/PID/exe`, which a service with
 * private memory denies.
 */
export async function openVisibleBus({ bus, command }: BusWay): Promise<MessageBus> {
  return promptBus(await (command === undefined ? openBus(bus) : openHeldBus(bus, command)));
}

/** Describes a screen as plain data. */
export interface ScreenSource extends BusWay {
  /** The name of the output. */
  readonly output: string;
  /** Its origin in the compositor's coordinates. */
  readonly x: number;
  readonly y: number;
  /** In pixels of its pictures. */
  readonly width: number;
  readonly height: number;
  /** Pixels per unit of the compositor's coordinates. */
  readonly scale: number;
}

export function screenAddress(source: ScreenSource): ScreenAddress<"kde"> {
  return { backend: "kde", name: JSON.stringify(source) };
}

/** @throws ServiceError `unavailable` */
export async function openKdeScreen(name: string): Promise<KdeScreen> {
  const source = JSON.parse(name) as ScreenSource;
  return new KdeScreen(source, await openVisibleBus(source));
}

export class KdeScreen implements MeasuredScreen {
  readonly #shots: ScreenShots;
  /** Kept for the parts of pictures. */
  #part = new Uint32Array();
  /** One at a time, because all use the same memory. */
  #last: Promise<unknown> = Promise.resolve();

  /** The bus is closed with it. */
  constructor(private readonly source: ScreenSource, private readonly bus: MessageBus) {
    this.#shots = new ScreenShots(bus);
  }

  get connected(): boolean {
    return this.bus.connected;
  }

  capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    const taken = this.#last.then(async () => {
      const picture = await this.#picture(region, options);
      return use(picture, options.cursor === "shown" ? this.cursor() : undefined);
    });
    this.#last = taken.catch(() => {});
    return taken;
  }

  size(): Size {
    const { width, height } = this.source;
    return { width, height };
  }

  /** KWin does not report the cursor, so it counts as changed at any time, anywhere. */
  cursor(): CursorState {
    return { box: { x: 0, y: 0, ...this.size() }, key: crypto.randomUUID() };
  }

  close(): void {
    this.bus[Symbol.dispose]();
  }

  /** KWin renders only the area that is asked for; whole pictures need no coordinates. */
  async #picture(region: Region, options: CaptureOptions): Promise<Picture> {
    const area = this.#logicalArea(region);
    if (area !== undefined) {
      const picture = await this.#shots.take({ area }, options);
      if (picture.width === region.width && picture.height === region.height) return picture;
      // another output, of another scale, begins within the area
    }
    const whole = await this.#shots.take({ output: this.source.output }, options);
    const { width, height } = this.source;
    if (whole.width !== width || whole.height !== height) {
      throw new ServiceError("conflict", "The screen has changed its size meanwhile: try again");
    }
    return this.#cut(whole, region);
  }

  /** `undefined` for the whole screen, and for areas that have no whole coordinates. */
  #logicalArea({ x, y, width, height }: Region): Region | undefined {
    const { source } = this;
    if (width === source.width && height === source.height) return undefined;
    const [left, top, wide, high] = [x, y, width, height].map((each) => each / source.scale);
    if (![left, top, wide, high].every(Number.isInteger)) return undefined;
    return { x: source.x + left!, y: source.y + top!, width: wide!, height: high! };
  }

  #cut(whole: Picture, { x, y, width, height }: Region): Picture {
    if (width === whole.width && height === whole.height) return whole;
    const size = width * height;
    if (this.#part.length < size) this.#part = new Uint32Array(size);
    for (let row = 0; row < height; row++) {
      const from = (y + row) * whole.width + x;
      this.#part.set(whole.pixels.subarray(from, from + width), row * width);
    }
    return { width, height, pixels: this.#part.subarray(0, size) };
  }
}
