/** An open connection to KWin, whose outputs are displays. */

import { ServiceError } from "../../../../core/errors.ts";
import type { WaylandDisplay, WaylandSession } from "../backend.ts";
import type { WaylandClient } from "../client.ts";
import { OutputNumbers } from "../output_numbers.ts";
import type { Outputs } from "../outputs.ts";
import { placeOf } from "../window_place.ts";
import type { KdeDevices } from "./devices.ts";
import { KdeDisplay } from "./display.ts";
import type { BusWay } from "./screen.ts";
import { KdeWindows, type WindowScripts } from "./windows.ts";

export interface SessionParts {
  readonly client: WaylandClient;
  readonly devices: KdeDevices;
  readonly outputs: Outputs;
  readonly windows: WindowScripts;
  readonly way: BusWay;
}

export class KdeSession implements WaylandSession {
  readonly #run = crypto.randomUUID(); // a lost connection never comes back

  readonly #numbers = new OutputNumbers(() => this.parts.outputs.list().map(({ name }) => name));

  /** @param opened ends with the session */
  constructor(
    private readonly parts: SessionParts,
    private readonly opened: AsyncDisposableStack,
  ) {}

  get connected(): boolean {
    return this.parts.devices.connected;
  }

  numbers(): readonly number[] {
    return this.#numbers.list();
  }

  async openDisplay(displayNum: number, name: string): Promise<WaylandDisplay> {
    const { client, outputs, devices, way, windows: scripts } = this.parts;
    await client.roundtrip(); // an output that was just connected is known then
    const output = outputs.find(this.#numbers.nameOf(displayNum) ?? "");
    if (output === undefined) {
      throw new ServiceError(
        "unavailable",
        `Cannot open display ${displayNum}: no output has this number now`,
      );
    }
    const windows = new KdeWindows(scripts, () => placeOf(output));
    return new KdeDisplay({
      displayNum,
      name,
      output,
      devices,
      way,
      windows,
      serverRun: this.#run,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, devices } = this.parts;
    devices.letGo();
    if (devices.connected) await client.roundtrip().catch(() => {}); // it has gone meanwhile
    await this.opened.disposeAsync();
  }
}
