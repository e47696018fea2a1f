/** One output of a KWin session: a screen, and the input devices that all outputs share. */

import { available, missing } from "../../../open_port.ts";
import { ComparedChanges } from "../../../comparing/compared_changes.ts";
import type {
  Accessibility,
  Available,
  Changes,
  Clipboard,
  Input,
  Keyboard,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../../linux_display.ts";
import { RemoteMouse } from "../input/remote_mouse.ts";
import type { Output } from "../outputs.ts";
import { OutputLooker } from "./looker.ts";
import { type BusWay, KdeScreen, screenAddress } from "./screen.ts";
import type { KdeDevices } from "./devices.ts";

export interface KdeDisplayOptions {
  readonly displayNum: number;
  readonly name: string;
  readonly output: Output;
  readonly devices: KdeDevices;
  readonly way: BusWay;
  readonly windows: Windows;
  /** Identifies the run of KWin. */
  readonly serverRun: string;
}

const NOT_TOLD = "KWin does not tell which program gets the input";

export class KdeDisplay implements LinuxDisplay {
  readonly displayNum: number;
  readonly name: string;
  readonly origin = "window";
  readonly serverRun: string;
  readonly input: Available<KdeInput>;
  readonly focus = missing(NOT_TOLD);
  readonly delivery = missing("KWin holds no click back, and does not tell who has handled one");
  readonly recipients = missing(NOT_TOLD);
  #changes: { readonly changes: ComparedChanges; readonly looker: OutputLooker } | undefined;

  constructor(private readonly options: KdeDisplayOptions) {
    ({ displayNum: this.displayNum, name: this.name, serverRun: this.serverRun } = options);
    this.input = available(new KdeInput(options));
    this.windows = available(options.windows);
  }

  accessibility: Port<Accessibility> = missing("No session has opened this display");
  readonly windows: Available<Windows>;

  get clipboard(): Port<Clipboard> {
    return this.options.devices.clipboard;
  }

  get connected(): boolean {
    return this.options.devices.connected && this.options.output.isPlugged;
  }

  get size(): Size {
    this.options.output.update();
    return this.options.output.size;
  }

  get output(): OutputInfo {
    const { name, scale } = this.options.output;
    return { name, scale };
  }

  get screen(): ScreenAddress<"kde"> {
    const { way, output: { name, size, scale, logical: { x, y } } } = this.options;
    return screenAddress({ ...way, output: name, x, y, ...size, scale });
  }

  async pixel({ x, y }: Point): Promise<Rgb> {
    const screen = new KdeScreen(JSON.parse(this.screen.name), this.options.devices.bus);
    const region = { x, y, width: 1, height: 1 };
    const word = await screen.capture(
      region,
      { cursor: "hidden" },
      ({ pixels: [first] }) => first!,
    );
    return [word >>> 16 & 255, word >>> 8 & 255, word & 255];
  }

  watch(): Promise<Changes> {
    if (this.#changes?.looker.connected === false) this.#changes = undefined;
    if (this.#changes === undefined) {
      const looker = new OutputLooker(() => this.screen);
      this.#changes = { looker, changes: new ComparedChanges(looker) };
    }
    return Promise.resolve(this.#changes.changes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#changes?.changes[Symbol.dispose]();
    this.#changes = undefined;
    return Promise.resolve();
  }
}

class KdeInput implements Input {
  readonly driver = "kde";
  readonly mouse: RemoteMouse;
  readonly #devices: KdeDevices;

  constructor({ devices, output }: KdeDisplayOptions) {
    this.#devices = devices;
    this.mouse = devices.mouseOf(output);
  }

  get keyboard(): Available<Keyboard> {
    return this.#devices.keyboard;
  }

  confirm(): Promise<void> {
    return this.#devices.confirm();
  }

  releaseAll(): Promise<void> {
    return this.#devices.releaseAll();
  }
}
