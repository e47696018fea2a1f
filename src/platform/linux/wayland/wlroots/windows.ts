/** The windows of a wlroots compositor: by sway's own interface, else by the protocol for taskbars. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Port, Windows } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import type { Output } from "../outputs.ts";
import { findSwaySocket, type SocketSearch } from "../sway/find_socket.ts";
import { SwayWindows } from "../sway/windows.ts";
import { ToplevelWindows } from "../toplevel_windows.ts";
import { placeOf } from "../window_place.ts";

export class WlrootsWindows implements Disposable {
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
