/**
 * A desk of Linux: a platform of its own on a virtual display, whose programs have their own home, so
 * that no program hands over to one on another desk, and are known by a variable, so that none is left.
 */

import { join } from "node:path";
import { pause, poll } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Config } from "../../../config/config.ts";
import type { Environment } from "../../environment.ts";
import type { Host } from "../../host.ts";
import { sendSignal } from "../../posix/process_table.ts";
import type { DeskOptions, DeskPlatform, Platform } from "../../types/mod.ts";
import { X11Connection } from "../x11/connection.ts";
import { internAtoms, listsAtom } from "../x11/window_queries.ts";
import { readProcesses } from "../process/process_identity.ts";

/** Every program of a desk has it: the folder of the desk, which no other one ever has. */
const MARK = "COMPUTER_CONTROL_DESK";
/** What leads programs to another display, or to the user's own settings and programs. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"],
  ...[
    "AT_SPI_BUS_ADDRESS",
    "SESSION_MANAGER",
    "DESKTOP_SESSION",
    "SWAYSOCK",
    "HYPRLAND_INSTANCE_SIGNATURE",
  ],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_SESSION_TYPE"],
  ...["XDG_CURRENT_DESKTOP", "XDG_SESSION_ID", "XDG_ACTIVATION_TOKEN"],
]);
/** A socket in the folder for run-time files must not have a path that is too long (unix(7)). */
const MAX_RUN_PATH = 70;
/** How long a window manager may take to be there. */
const MANAGER_MS = 1_500;
/** What was started while its parent was being killed is found by another look. */
const KILL_ROUNDS = 5;

/** Opens what a desk is, with the parts that it shares with the service. */
type Open = (host: Host, config: Config) => Promise<Platform>;

/**
 * @param open opens a platform on a virtual display
 * @throws ServiceError `unavailable` when the display does not start
 */
export async function openDesk(
  host: Host,
  config: Config,
  { folder, size, wayland, open }: DeskOptions & { readonly open: Open },
): Promise<DeskPlatform> {
  const run = join(folder, "run");
  await Deno.mkdir(run, { mode: 0o700 });
  await Deno.mkdir(join(folder, "Downloads"), { mode: 0o700 });
  const env: Environment = {
    ...Object.fromEntries(Object.entries(host.env).filter(([name]) => !LEFT_OUT.has(name))),
    HOME: folder,
    ...(run.length <= MAX_RUN_PATH && { XDG_RUNTIME_DIR: run }),
  };
  const { browserAddress: _, ...own } = config;
  const platform = await open({ ...host, env }, {
    ...own,
    displays: new Map(),
    virtualDisplay: { ...size, server: wayland ? "wayland" : "x11" },
    openBrowser: "about:blank",
    setup: false,
  });
  const { virtual } = platform;
  if (virtual === undefined) {
    const why = platform.backends().find(({ job }) => job === "display")?.reason;
    await platform[Symbol.asyncDispose]();
    throw new ServiceError("unavailable", `Cannot open the desk: ${why}`);
  }
  if (!wayland && host.which("openbox") !== undefined) await isManaged(virtual.display);
  return {
    ...platform,
    virtual,
    programs: async () => {
      const all = await readProcesses((pid) => readProgram(pid, folder));
      return { count: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await endPrograms(folder);
    },
  };
}

/** Waits for the window manager: windows that open before it get no keyboard focus. */
async function isManaged(display: string): Promise<void> {
  using connection = await X11Connection.open(display);
  const names = ["_NET_SUPPORTED", "_NET_ACTIVE_WINDOW"] as const;
  const atoms = await internAtoms(connection, names);
  const hint = { property: atoms._NET_SUPPORTED, atom: atoms._NET_ACTIVE_WINDOW };
  const isThere = () => listsAtom(connection, connection.root, hint);
  await poll(isThere, { everyMs: 10, timeoutMs: MANAGER_MS });
}

/** The variables by which programs find a desk, besides those of its display. */
export function deskVariables({ env }: Host): Readonly<Record<string, string>> {
  const { HOME, XDG_RUNTIME_DIR } = env;
  return {
    ...(HOME && { HOME, [MARK]: HOME }),
    ...(XDG_RUNTIME_DIR && { XDG_RUNTIME_DIR }),
  };
}

/** Programs that have left their session, too. */
async function endPrograms(folder: string): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const all = await readProcesses((pid) => readProgram(pid, folder));
    if (all.length === 0) return;
    for (const { pid } of all) sendSignal(pid, "SIGKILL");
    await pause(20 * (round + 1));
  }
}

const PAGE_BYTES = 4_096;

/** A program of the desk, and the memory that it has for itself (proc(5)); `undefined` for all others. */
async function readProgram(
  pid: string,
  folder: string,
): Promise<{ readonly pid: number; readonly bytes: number } | undefined> {
  try {
    const variables = `\0${await Deno.readTextFile(`/proc/${pid}/environ`)}`; // of others, it is not read
    if (!variables.includes(`\0${MARK}=${folder}\0`)) return undefined;
    const [, resident = 0, shared = 0] = (await Deno.readTextFile(`/proc/${pid}/statm`))
      .split(" ").map(Number);
    return { pid: Number(pid), bytes: (resident - shared) * PAGE_BYTES };
  } catch {
    return undefined;
  }
}
