/** A monitor whose pictures come through PipeWire, and the input devices of its desktop. */

import { available, missing } from "../../open_port.ts";
import type {
  Accessibility,
  Changes,
  Clipboard,
  Input,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../linux_display.ts";
import type { PipeWireStream } from "../pipewire/stream.ts";

export interface StreamedDisplayOptions {
  readonly displayNum: number;
  /** As it was opened. */
  readonly name: string;
  /** Belongs to the display from now on. */
  readonly stream: PipeWireStream;
  readonly input: Input;
  readonly clipboard: Port<Clipboard>;
  /** What the desktop calls the monitor. */
  readonly monitor: string;
  /** The width of the monitor in the desktop's own units. */
  readonly logicalWidth: () => number;
  /** The desktop, as messages name it. */
  readonly desktop: string;
  /** Whether the session that shares the monitor lasts. */
  readonly isConnected: () => boolean;
}

export class StreamedDisplay implements LinuxDisplay {
  readonly displayNum: number;
  readonly name: string;
  readonly origin = "window";
  readonly serverRun = crypto.randomUUID(); // a session that has ended never comes back
  readonly screen: ScreenAddress;
  readonly input: Port<Input>;
  readonly focus;
  readonly delivery;
  readonly recipients;
  readonly clipboard: Port<Clipboard>;
  accessibility: Port<Accessibility> = missing("No session has opened this display");
  readonly windows: Port<Windows> = missing(
    "The desktop portal has no interface for windows: accessibility/snapshot tells what is in them",
  );

  constructor(private readonly options: StreamedDisplayOptions) {
    const { displayNum, name, stream, input, desktop } = options;
    this.displayNum = displayNum;
    this.name = name;
    this.screen = stream.address;
    this.input = available(input);
    this.clipboard = options.clipboard;
    this.focus = missing(`${desktop} does not tell which window has the keyboard focus`);
    this.delivery = missing(`${desktop} does not tell when a program has taken a click`);
    this.recipients = missing(`${desktop} does not tell which program gets the input`);
  }

  /** `false` once the session or its pictures have ended; the display must then be opened again. */
  get connected(): boolean {
    return this.options.isConnected() && this.options.stream.connected;
  }

  get size(): Size {
    return this.options.stream.size;
  }

  get output(): OutputInfo {
    const { monitor, logicalWidth, stream } = this.options;
    return { name: monitor, scale: stream.size.width / logicalWidth() };
  }

  async pixel(at: Point): Promise<Rgb> {
    return await this.options.stream.pixel(at);
  }

  watch(): Promise<Changes> {
    return Promise.resolve(this.options.stream.watch());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.options.stream[Symbol.asyncDispose]();
  }
}
