/** The virtual display of Wayland: a sway without a screen, which is restarted when it dies. */

import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { startOwnBuses } from "../atspi/own_buses.ts";
import { keepRunning } from "../restarted_server.ts";
import type { VirtualDisplay } from "../virtual_display.ts";
import { WAYLAND_BACKENDS } from "./backends.ts";
import { ChosenSession } from "./chosen_session.ts";
import { startSway } from "./sway_process.ts";

export interface VirtualWaylandOptions {
  readonly size: Size;
  /** Its state folder holds the runtime folder of the compositor. */
  readonly config: Config;
  readonly log: Log;
}

/** @throws Error when sway does not start. */
export async function startVirtualWayland(
  host: Host,
  { size, config, log }: VirtualWaylandOptions,
): Promise<VirtualDisplay> {
  const folder = `${config.stateDir}/wayland-${Deno.pid}`;
  const first = await startSway(host, { size, folder });
  const { socket } = first;
  const server = keepRunning(first, {
    name: "virtual display",
    display: socket,
    start: () => startSway(host, { size, folder }),
    log,
  });
  const display = { WAYLAND_DISPLAY: socket, XDG_SESSION_TYPE: "wayland", DISPLAY: "" };
  const buses = await startOwnBuses(host, { display, log });
  const variables = { ...display, ...buses?.variables };
  const compositor = { name: socket, path: socket };
  const own = { ...host, env: { ...host.env, ...variables } };
  const session = new ChosenSession(
    { host: own, config: { ...config, waylandBackend: "auto" }, log, compositor },
    WAYLAND_BACKENDS,
  );
  return {
    display: socket,
    variables,
    session,
    get running() {
      return server.running;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await buses?.[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true }).catch(() => {}); // sway's supervisor has done it
    },
  };
}
