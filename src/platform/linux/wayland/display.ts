/** The displays of a Wayland session: what all of them have, and where their pictures come from. */

import { available, missing } from "../../capability.ts";
import type {
  Accessibility,
  Capability,
  Changes,
  Clipboard,
  Delivery,
  DeliveryRecorder,
  Focus,
  Input,
  Point,
  Rgb,
  Screen,
  ScreenAddress,
  Size,
  Windows,
} from "../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../linux_display.ts";
import type { PipeWireStream } from "../pipewire/stream.ts";
import type { Output } from "./outputs.ts";

export interface DisplayParts {
  readonly displayNum: number;
  /** As it was opened. */
  readonly name: string;
  /** Identifies the run of the compositor, or of its session. */
  readonly serverRun: string;
  /** What gives it, as messages name that. */
  readonly desktop: string;
  readonly input: Capability<Input>;
  readonly clipboard: Capability<Clipboard>;
  readonly windows: Capability<Windows>;
}

export abstract class WaylandDisplay implements LinuxDisplay {
  readonly displayNum: number;
  readonly name: string;
  readonly origin = "window";
  readonly serverRun: string;
  readonly input: Capability<Input>;
  readonly clipboard: Capability<Clipboard>;
  readonly windows: Capability<Windows>;
  readonly focus: Capability<Focus>;
  readonly delivery: Capability<Delivery>;
  readonly deliveryRecorder: Capability<DeliveryRecorder>;
  /** Set by who opens the display, in the same way for every backend. */
  accessibility: Capability<Accessibility> = missing("No session has opened this display");

  constructor(parts: DisplayParts) {
    this.displayNum = parts.displayNum;
    this.name = parts.name;
    this.serverRun = parts.serverRun;
    this.input = parts.input;
    this.clipboard = parts.clipboard;
    this.windows = parts.windows;
    this.focus = missing(`${parts.desktop} does not report which window has the keyboard focus`);
    this.delivery = missing(`${parts.desktop} does not report when a program has taken a click`);
    this.deliveryRecorder = missing(
      `${parts.desktop} does not report which program receives the input`,
    );
  }

  /** `false` once the session or the pictures have ended; the display must then be opened again. */
  abstract readonly connected: boolean;
  abstract readonly size: Size;
  abstract readonly output: OutputInfo;
  abstract readonly screen: ScreenAddress;
  abstract pixel(at: Point): Promise<Rgb>;
  abstract watch(): Promise<Changes>;
  abstract [Symbol.asyncDispose](): Promise<void>;
}

interface StreamedParts extends Omit<DisplayParts, "serverRun" | "input"> {
  /** Belongs to the display from now on. */
  readonly stream: PipeWireStream;
  readonly input: Input;
  readonly output: () => OutputInfo;
  /** Whether the session that shares the monitor lasts. */
  readonly isConnected: () => boolean;
}

/** A monitor whose pictures come through PipeWire. */
export class StreamedDisplay extends WaylandDisplay {
  constructor(private readonly parts: StreamedParts) {
    const serverRun = crypto.randomUUID(); // a session that has ended never comes back
    super({ ...parts, serverRun, input: available(parts.input) });
  }

  get connected(): boolean {
    return this.parts.isConnected() && this.parts.stream.connected;
  }

  get size(): Size {
    return this.parts.stream.size;
  }

  get output(): OutputInfo {
    return this.parts.output();
  }

  get screen(): ScreenAddress {
    return this.parts.stream.address;
  }

  async pixel(at: Point): Promise<Rgb> {
    return await this.parts.stream.pixel(at);
  }

  watch(): Promise<Changes> {
    return Promise.resolve(this.parts.stream.watch());
  }

  /** Releases what this service holds down, unless the desktop did so when it ended the session. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { stream, input, isConnected } = this.parts;
    if (isConnected()) await input.releaseAll().catch(() => {}); // it has just ended
    await stream[Symbol.asyncDispose]();
  }
}

/** Changes that end with what is followed. */
type FollowedChanges = Changes & Disposable & { readonly connected: boolean };

/** An output whose pictures are taken one by one. */
export abstract class OutputDisplay extends WaylandDisplay {
  #changes: FollowedChanges | undefined;

  constructor(parts: DisplayParts, protected readonly wlOutput: Output) {
    super(parts);
  }

  get size(): Size {
    this.wlOutput.update();
    return this.wlOutput.size;
  }

  get output(): OutputInfo {
    const { name, scale } = this.wlOutput;
    return { name, scale };
  }

  pixel({ x, y }: Point): Promise<Rgb> {
    const region = { x, y, width: 1, height: 1 };
    return this.pictures.capture(region, { cursor: "hidden" }, ({ pixels }) => {
      const colour = pixels[0]!;
      return [colour >>> 16 & 255, colour >>> 8 & 255, colour & 255];
    });
  }

  watch(): Promise<Changes> {
    if (this.#changes?.connected === false) this.#unwatch();
    return Promise.resolve(this.#changes ??= this.openChanges());
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#unwatch();
    return Promise.resolve();
  }

  /** Takes pictures in this thread. */
  protected abstract readonly pictures: Pick<Screen, "capture">;
  protected abstract openChanges(): FollowedChanges;

  #unwatch(): void {
    this.#changes?.[Symbol.dispose]();
    this.#changes = undefined;
  }
}
