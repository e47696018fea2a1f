/** Compositors with the protocols of wlroots (sway, Hyprland, river, labwc, Wayfire, ...). */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { WaylandBackend, WaylandContext, WaylandDisplay, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { OutputNumbers } from "../output_numbers.ts";
import { surround } from "../output_geometry.ts";
import { Outputs } from "../outputs.ts";
import type { InterfaceName } from "../protocols/mod.ts";
import { WlrootsDevices } from "./devices.ts";
import { WlrootsDisplay } from "./display.ts";
import { WlrootsWindows } from "./windows.ts";
import { SCREENCOPY } from "./screencopy.ts";

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
