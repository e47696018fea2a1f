/** Compositors with the protocols of wlroots (sway, Hyprland, river, labwc, Wayfire, ...). */

import { ServiceError } from "../../../../core/errors.ts";
import { ComparedChanges, WorkerLooker } from "../../../comparing/compared_changes.ts";
import { available, missing } from "../../../open_port.ts";
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
import type { LinuxDisplay, OutputInfo } from "../../own_displays.ts";
import type { WaylandBackend, WaylandContext, WaylandDisplay, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { type Output, OutputNumbers, Outputs, surround } from "../outputs.ts";
import type { InterfaceName } from "../protocols/mod.ts";
import { findSwaySocket, type SocketSearch } from "../sway/ipc.ts";
import { SwayWindows } from "../sway/windows.ts";
import { ToplevelWindows } from "../streamed_display.ts";
import { placeOf } from "../pointer_position.ts";
import { WlrootsChanges } from "./changes.ts";
import { WlrootsDevices } from "./devices.ts";
import { DAMAGE_VERSION, SCREENCOPY, screenName, WlrootsScreen } from "./screen.ts";

/** Without these there are no pictures; what input lacks is said by its ports. */
const NEEDED: readonly InterfaceName[] = [SCREENCOPY, "wl_shm", "wl_output"];

export const WLROOTS: WaylandBackend = {
  name: "wlroots",
  reason: "the compositor has the protocols of wlroots",
  fits: () => true,
  async open(context) {
    const { name, path } = context.compositor;
    // the first that asks any compositor, KWin too
    const client = await WaylandClient.open(path, { name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS });
    try {
      const lacking = client.globals.missing(NEEDED);
      if (lacking.length === 0) return available(await WlrootsSession.open(client, context));
      client[Symbol.dispose]();
      return missing(`the compositor has no ${lacking.join(", ")}`);
    } catch (error) {
      client[Symbol.dispose]();
      throw error;
    }
  },
};

class WlrootsSession implements WaylandSession {
  readonly #numbers: OutputNumbers;
  readonly #run = crypto.randomUUID();

  private constructor(
    private readonly client: WaylandClient,
    private readonly outputs: Outputs,
    private readonly devices: WlrootsDevices,
    private readonly socketPath: string,
    private readonly windows: WlrootsWindows,
  ) {
    this.#numbers = new OutputNumbers(() => outputs.list().map(({ name }) => name));
  }

  static async open(
    client: WaylandClient,
    { config, compositor, host }: WaylandContext,
  ): Promise<WlrootsSession> {
    const outputs = await Outputs.open(client);
    const devices = await WlrootsDevices.open(client, config.limits);
    const windows = await WlrootsWindows.open(client, {
      ...{ waylandSocket: compositor.path, named: host.env["SWAYSOCK"] },
      outputs: outputs.list().map(({ name }) => name),
    });
    return new WlrootsSession(client, outputs, devices, compositor.path, windows);
  }

  get connected(): boolean {
    return this.client.connected;
  }

  numbers(): readonly number[] {
    return this.#numbers.list();
  }

  async openDisplay(displayNum: number, name: string): Promise<WaylandDisplay> {
    const { client, outputs, devices, socketPath } = this;
    await client.roundtrip(); // an output that was just plugged in is known now
    const wanted = this.#numbers.nameOf(displayNum);
    const output = wanted === undefined ? undefined : outputs.find(wanted);
    if (output === undefined) throw this.#noOutput(displayNum);
    const input = devices.inputFor(displayNum, () => {
      output.update(); // it may have been turned or unplugged since
      if (!output.isPlugged) return undefined;
      const { logical, scale } = output;
      return {
        output: logical,
        scale,
        desktop: surround(outputs.list().map((each) => each.logical)),
      };
    });
    return new WlrootsDisplay({
      ...{ displayNum, name, client, socketPath, outputs, output, input, serverRun: this.#run },
      clipboard: devices.clipboard,
      windows: this.windows.of(output),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.windows[Symbol.dispose]();
    await this.devices[Symbol.asyncDispose]();
    this.client[Symbol.dispose]();
  }

  #noOutput(displayNum: number): ServiceError {
    const there = this.#numbers.list().map((number) =>
      `${number} is "${this.#numbers.nameOf(number)}"`
    );
    const which = there.length === 0 ? "it has none now" : there.join(", ");
    return new ServiceError(
      "unavailable",
      `Cannot open display ${displayNum}: no output of the compositor at "${this.client.name}" ` +
        `has this number (${which})`,
    );
  }
}

// The windows of a wlroots compositor: by sway's own interface, else by the protocol for taskbars.

class WlrootsWindows implements Disposable {
  readonly #opened: SwayWindows[] = [];

  private constructor(
    private readonly swaySocket: string | undefined,
    private readonly toplevels: Port<Windows>,
  ) {}

  static async open(client: WaylandClient, search: SocketSearch): Promise<WlrootsWindows> {
    const swaySocket = await findSwaySocket(search);
    const toplevels = swaySocket === undefined
      ? await openToplevels(client)
      : missing("sway is asked on its own interface");
    return new WlrootsWindows(swaySocket, toplevels);
  }

  /** As an output shows them: in its pixels. */
  of(output: Output): Port<Windows> {
    if (this.swaySocket === undefined) return this.toplevels;
    const windows = new SwayWindows(this.swaySocket, () => placeOf(output));
    this.#opened.push(windows);
    return available(windows);
  }

  [Symbol.dispose](): void {
    for (const windows of this.#opened) windows[Symbol.dispose]();
  }
}

async function openToplevels(client: WaylandClient): Promise<Port<Windows>> {
  try {
    return available(await ToplevelWindows.open(client));
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unsupported") {
      return missing(`Windows cannot be listed: ${error.message}`);
    }
    throw error;
  }
}

// An output of a wlroots compositor as a display.

interface WlrootsDisplayOptions {
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

class WlrootsDisplay implements Display, LinuxDisplay {
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
