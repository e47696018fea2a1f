/** The virtual display of Wayland: a sway without a screen, which is restarted when it dies. */

import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { startOwnBuses } from "./own_buses.ts";
import { keepRunning, startSupervised, type SupervisedServer } from "./supervised_server.ts";
import type { VirtualDisplay } from "../linux_display.ts";
import { ChosenSession } from "../wayland/backend.ts";

interface VirtualWaylandOptions {
  readonly size: Size;
  /** Its state folder holds the runtime folder of the compositor. */
  readonly config: Config;
  /** More variables of its programs. */
  readonly more?: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** @throws Error when sway does not start. */
export async function startVirtualWayland(
  host: Host,
  { size, config, more, log }: VirtualWaylandOptions,
): Promise<VirtualDisplay> {
  const folder = takeFolder(config.stateDir);
  const first = await startSway(host, { size, folder }).catch((error) => {
    inUse.delete(folder);
    throw error;
  });
  const { socket } = first;
  const server = keepRunning(first, {
    name: "virtual display",
    display: socket,
    start: () => startSway(host, { size, folder }),
    log,
  });
  const runtime = host.env["XDG_RUNTIME_DIR"] || folder; // GTK 3 opens no display without one
  const display = {
    WAYLAND_DISPLAY: socket,
    XDG_SESSION_TYPE: "wayland",
    DISPLAY: "",
    XDG_RUNTIME_DIR: runtime,
  };
  const buses = await startOwnBuses(host, { display, log });
  const variables = { ...display, ...buses?.variables, ...more };
  const compositor = { name: socket, path: socket };
  const own = { ...host, env: { ...host.env, ...variables } };
  const session = new ChosenSession(
    { host: own, config: { ...config, waylandBackend: "auto" }, log, compositor },
    async () => [(await import("../wayland/wlroots/backend.ts")).WLROOTS],
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
      inUse.delete(folder);
    },
  };
}

/** The runtime folders of those that this process has. */
const inUse = new Set<string>();

/** The first that is free: each start removes what is there. */
function takeFolder(stateDir: string): string {
  const first = `${stateDir}/wayland-${Deno.pid}`;
  let folder = first;
  for (let number = 2; inUse.has(folder); number++) folder = `${first}-${number}`;
  inUse.add(folder);
  return folder;
}

// Runs one sway without a screen, in a runtime folder of its own, which is gone when it has ended.

interface SwayProcess extends SupervisedServer {
  /** The path of its socket. */
  readonly socket: string;
}

interface SwayOptions {
  readonly size: Size;
  /** Its runtime folder, which is made; only the own user may enter it. */
  readonly folder: string;
}

/** The path of a unix socket has 107 bytes. */
const LONGEST_FOLDER = 107 - "/wayland-1".length;

/** @throws EndedEarlyError, or Error when it is not ready in time. */
async function startSway(host: Host, { size, folder }: SwayOptions): Promise<SwayProcess> {
  if (new TextEncoder().encode(folder).length > LONGEST_FOLDER) {
    throw new Error(`the path "${folder}" is too long for a socket: choose another --state-dir`);
  }
  await Deno.remove(folder, { recursive: true }).catch(() => {}); // left by a service that was killed
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const config = `${folder}/config`;
  await Deno.writeTextFile(config, configOf(size));
  let socket = "";
  const server = await startSupervised({
    command: [...asUser(host), "sway", "--config", config],
    env: environmentOf(host, folder),
    temporary: folder,
    isReady(lines) {
      const name = lines.find((line) => line.startsWith(READY))?.slice(READY.length);
      if (name !== undefined) socket = `${folder}/${name}`;
      return name !== undefined;
    },
    name: "sway",
  });
  return { ...server, socket };
}

const READY = "ready at ";

/** Runs when sway serves clients; the names of variables are those of its shell. */
function configOf({ width, height }: Size): string {
  return [
    `output HEADLESS-1 resolution ${width}x${height} position 0 0`,
    "xwayland disable",
    `exec echo "${READY}$WAYLAND_DISPLAY"`,
    "",
  ].join("\n");
}

/** sway refuses to run as root; in a namespace of its own its user only looks like another one. */
function asUser({ uid }: Host): readonly string[] {
  return uid === 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : [];
}

/** Nothing by which it would open its windows on the session that the service runs in. */
function environmentOf({ env }: Host, folder: string): Readonly<Record<string, string>> {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "XKB_DEFAULT_LAYOUT", "XKB_DEFAULT_VARIANT"]
    .flatMap((name) => env[name] ? [[name, env[name]]] : []);
  return {
    ...Object.fromEntries(kept),
    XDG_RUNTIME_DIR: folder,
    WLR_BACKENDS: "headless",
    WLR_HEADLESS_OUTPUTS: "1",
    WLR_LIBINPUT_NO_DEVICES: "1",
    WLR_RENDERER: "pixman",
  };
}
