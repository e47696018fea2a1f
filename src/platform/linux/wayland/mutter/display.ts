/** A monitor of a GNOME desktop. */

import { missing } from "../../../open_port.ts";
import type {
  Accessibility,
  Available,
  Changes,
  Clipboard,
  Input,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../../linux_display.ts";
import type { PipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandSession } from "../backend.ts";
import type { MutterDevices } from "./devices.ts";
import type { SharedMonitor } from "./session.ts";

export interface MutterDisplayOptions {
  readonly displayNum: number;
  readonly name: string;
  readonly monitor: SharedMonitor;
  /** Its pictures, which belong to the display. */
  readonly stream: PipeWireStream;
  readonly devices: MutterDevices;
  readonly desktop: Pick<WaylandSession, "connected">;
}

/** Where Wayland keeps to itself what X tells. */
const UNTOLD = "Wayland tells no program which window has the keyboard, or gets the input";

export class MutterDisplay implements LinuxDisplay {
  readonly displayNum: number;
  readonly name: string;
  readonly origin = "window";
  readonly output: OutputInfo;
  readonly serverRun = crypto.randomUUID(); // a lost session never comes back
  readonly focus = missing(UNTOLD);
  readonly delivery = missing(UNTOLD);
  readonly recipients = missing(UNTOLD);
  readonly screen: ScreenAddress;
  readonly input: Available<Input>;
  readonly clipboard: Available<Clipboard>;
  accessibility: Port<Accessibility> = missing("No session has opened this display");
  readonly windows: Port<Windows> = missing(
    "GNOME lists and places windows for no other program (org.gnome.Shell.Introspect answers only " +
      "its own services): accessibility/snapshot tells what is in them",
  );

  constructor(private readonly options: MutterDisplayOptions) {
    const { displayNum, name, monitor, stream, devices } = options;
    this.displayNum = displayNum;
    this.name = name;
    this.output = { name: monitor.name, scale: monitor.scale };
    this.screen = stream.address;
    this.input = { ready: true, use: devices.makeInput(monitor, stream) };
    this.clipboard = devices.clipboard;
  }

  get connected(): boolean {
    return this.options.desktop.connected && this.options.stream.connected;
  }

  get size(): Size {
    return this.options.stream.size;
  }

  pixel(at: Point): Promise<Rgb> {
    return this.options.stream.pixel(at);
  }

  watch(): Promise<Changes> {
    return Promise.resolve(this.options.stream.watch());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { stream, desktop } = this.options;
    if (desktop.connected) await this.input.use.releaseAll().catch(() => {}); // it ends just now
    await stream[Symbol.asyncDispose]();
  }
}
