/** An output of a wlroots compositor as a display. */

import { ComparedChanges } from "../../../comparing/compared_changes.ts";
import { WorkerLooker } from "../../../comparing/worker_looker.ts";
import { missing } from "../../../open_port.ts";
import type {
  Accessibility,
  Changes,
  Clipboard,
  Display,
  Input,
  Point,
  Port,
  Rgb,
  ScreenAddress,
  Size,
  Windows,
} from "../../../types/mod.ts";
import type { LinuxDisplay, OutputInfo } from "../../linux_display.ts";
import type { WaylandClient } from "../client.ts";
import type { Output, Outputs } from "../outputs.ts";
import { WlrootsChanges } from "./changes.ts";
import { screenName, WlrootsScreen } from "./screen.ts";
import { DAMAGE_VERSION, SCREENCOPY } from "./screencopy.ts";

export interface WlrootsDisplayOptions {
  readonly displayNum: number;
  readonly name: string;
  readonly client: WaylandClient;
  readonly socketPath: string;
  readonly outputs: Outputs;
  readonly output: Output;
  readonly serverRun: string;
  readonly input: Port<Input>;
  readonly clipboard: Port<Clipboard>;
  readonly windows: Port<Windows>;
}

export class WlrootsDisplay implements Display, LinuxDisplay {
  readonly displayNum: number;
  readonly name: string;
  readonly origin = "window";
  readonly serverRun: string;
  readonly screen: ScreenAddress<"wlroots">;
  readonly input: Port<Input>;
  readonly clipboard: Port<Clipboard>;
  readonly #pixels: WlrootsScreen;
  #changes: WlrootsChanges | ComparedChanges | undefined;

  constructor(private readonly options: WlrootsDisplayOptions) {
    const { client, output, socketPath } = options;
    this.displayNum = options.displayNum;
    this.name = options.name;
    this.serverRun = options.serverRun;
    this.input = options.input;
    this.clipboard = options.clipboard;
    this.windows = options.windows;
    this.screen = { backend: "wlroots", name: screenName.format(output.name, socketPath) };
    this.#pixels = new WlrootsScreen(client, output);
  }

  accessibility: Port<Accessibility> = missing("No session has opened this display");
  readonly windows: Port<Windows>;
  readonly focus = missing("No Wayland protocol tells which window a click has reached");
  readonly delivery = missing("No Wayland protocol tells when a program has handled a click");
  readonly recipients = missing("No Wayland protocol tells which program gets the input");

  /** `false` once the compositor has gone or the output was unplugged. */
  get connected(): boolean {
    return this.options.client.connected && this.options.output.isPlugged;
  }

  get size(): Size {
    this.options.output.update();
    return this.options.output.size;
  }

  get output(): OutputInfo {
    const { name, scale } = this.options.output;
    return { name, scale };
  }

  pixel({ x, y }: Point): Promise<Rgb> {
    const region = { x, y, width: 1, height: 1 };
    return this.#pixels.capture(region, { cursor: "hidden" }, ({ pixels }) => {
      const colour = pixels[0]!;
      return [colour >>> 16 & 255, colour >>> 8 & 255, colour & 255];
    });
  }

  watch(): Promise<Changes> {
    if (this.#changes?.connected === false) this.#unwatch();
    return Promise.resolve(this.#changes ??= this.#openChanges());
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#unwatch();
    this.#pixels.close();
    return Promise.resolve();
  }

  #openChanges(): WlrootsChanges | ComparedChanges {
    const { client, outputs, output } = this.options;
    const tellsOfDamage = client.globals.version(SCREENCOPY) >= DAMAGE_VERSION;
    if (tellsOfDamage) return new WlrootsChanges({ client, outputs, output });
    return new ComparedChanges(new WorkerLooker(this.screen));
  }

  #unwatch(): void {
    this.#changes?.[Symbol.dispose]();
    this.#changes = undefined;
  }
}
