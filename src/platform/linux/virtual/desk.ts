/**
 * The desks of Linux: each is a platform of its own on a virtual display, whose programs have their own
 * home, so that no program hands over to one on another desk, and are known by a variable, so that none
 * is left.
 */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { pause, poll } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import type { Config } from "../../../config/config.ts";
import type { Environment } from "../../environment.ts";
import type { Host } from "../../host.ts";
import { sendSignal } from "../../posix/process_table.ts";
import type { DeskOptions, DeskPlatform, Platform } from "../../types/mod.ts";
import { X11Connection } from "../x11/connection.ts";
import { internAtoms, listsAtom } from "../x11/window_queries.ts";

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
/** How long a window manager may take to be there. */
const MANAGER_MS = 1_500;
/** What was started while its parent was being killed is found by another look. */
const KILL_ROUNDS = 5;

/** Opens what a desk is, with the parts that it shares with the service. */
type Open = (host: Host, config: Config) => Promise<Platform>;

/** Those of one service. */
export class OpenDesks {
  /** The folders of those that have them: the number of a display is given again. */
  readonly #displays = new Map<string, string>();
  /** Whether it is the display of a desk, which has no number. */
  has(display: string): boolean {
    return this.#displays.has(display);
  }

  /**
   * @param open opens a platform on a virtual display
   * @throws ServiceError `unavailable` when the display does not start; nothing is left then
   */
  async open(
    host: Host,
    config: Config,
    { folder, size, wayland, open }: DeskOptions & { readonly open: Open },
  ): Promise<DeskPlatform> {
    const env = await prepareHome(host, folder);
    const { browserAddress: _, ...own } = config;
    const platform = await open({ ...host, env }, {
      ...own,
      displays: new Map(),
      virtualDisplay: { ...size, server: wayland ? "wayland" : "x11" },
      openBrowser: "about:blank",
      setup: false,
    });
    const { virtual } = platform;
    const end = async () => {
      try {
        await endDesk(platform, folder);
      } finally {
        this.#forget(folder);
      }
    };
    try {
      if (virtual === undefined) {
        const why = platform.backends().find(({ job }) => job === "display")?.reason;
        throw new ServiceError("unavailable", `Cannot open the desk: ${why}`);
      }
      this.#displays.set(virtual.display, folder);
      if (!wayland && host.which("openbox") !== undefined) await isManaged(virtual.display);
    } catch (error) {
      await end().catch(() => {}); // why it cannot be opened says more
      throw error;
    }
    return {
      ...platform,
      virtual,
      programs: async () => {
        const found = await programs.run();
        const all = found.filter(isOf({ folder, but: virtual.managerPid }));
        return { count: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
      },
      [Symbol.asyncDispose]: end,
    };
  }

  #forget(folder: string): void {
    for (const [display, of] of this.#displays) {
      if (of === folder) this.#displays.delete(display);
    }
  }
}

/** Makes the folders of a desk, and gives the environment of its programs. */
async function prepareHome({ env }: Host, folder: string): Promise<Environment> {
  const run = join(folder, "run");
  await Deno.mkdir(run, { mode: 0o700 });
  await Deno.mkdir(join(folder, "Downloads"), { mode: 0o700 });
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !LEFT_OUT.has(name))),
    HOME: folder,
    // also where its path is too long for sockets: that of the user leads to the user's programs
    XDG_RUNTIME_DIR: run,
  };
}

/**
 * Waits for the window manager: windows that open before it get no keyboard focus.
 * @throws ServiceError `unavailable` when the display ends meanwhile
 */
async function isManaged(display: string): Promise<void> {
  try {
    using connection = await X11Connection.open(display);
    const names = ["_NET_SUPPORTED", "_NET_ACTIVE_WINDOW"] as const;
    const atoms = await internAtoms(connection, names);
    const hint = { property: atoms._NET_SUPPORTED, atom: atoms._NET_ACTIVE_WINDOW };
    const isThere = () => listsAtom(connection, connection.root, hint);
    await poll(isThere, { everyMs: 10, timeoutMs: MANAGER_MS });
  } catch (cause) {
    const message = `Cannot open the desk: its display has ended: ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
}

/** The variables by which programs find a desk, besides those of its display. */
export function deskVariables({ env }: Host): Readonly<Record<string, string>> {
  const { HOME, XDG_RUNTIME_DIR } = env;
  return {
    ...(HOME && { HOME, [MARK]: HOME }),
    ...(XDG_RUNTIME_DIR && { XDG_RUNTIME_DIR }),
  };
}

/** Its programs first: one that hangs would hold up the rest. */
async function endDesk(platform: Platform, folder: string): Promise<void> {
  await endAll({ folder, but: platform.virtual?.managerPid });
  try {
    await platform[Symbol.asyncDispose]();
  } finally {
    await endAll({ folder });
  }
}

/** Ends the programs of a desk whose platform is gone. */
export async function endPrograms(folder: string): Promise<void> {
  await endAll({ folder });
}

/** Which programs of a desk. */
interface Wanted {
  readonly folder: string;
  /** This one is none: the window manager is started again when it ends. */
  readonly but?: number | undefined;
}

function isOf({ folder, but }: Wanted): (program: DeskProgram) => boolean {
  return (program) => program.folder === folder && program.pid !== but;
}

/** Those that have left their session, too. */
async function endAll(wanted: Wanted): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const all = (await programs.run()).filter(isOf(wanted));
    if (all.length === 0) return;
    for (const { pid } of all) sendSignal(pid, "SIGKILL");
    await pause(20 * (round + 1));
  }
}

const PAGE_BYTES = 4_096;

interface DeskProgram {
  readonly pid: number;
  /** Of its desk. */
  readonly folder: string;
  /** The memory that it has for itself (proc(5)). */
  readonly bytes: number;
}

/** One look at all processes serves all desks that ask before it begins. */
const programs = new SharedRun(readPrograms);

/** The programs of all desks. Synchronous calls cost a hundredth of asynchronous ones here. */
async function readPrograms(): Promise<readonly DeskProgram[]> {
  const yielder = new EventLoopYielder();
  const all: DeskProgram[] = [];
  const room = Buffer.allocUnsafe(MAX_READ_BYTES);
  for (const pid of listProcesses()) {
    await yielder.yieldIfDue();
    const found = readProgram(pid, room);
    if (found !== undefined) all.push(found);
  }
  return all;
}

function listProcesses(): readonly string[] {
  return Array.from(Deno.readDirSync("/proc"), ({ name }) => name).filter((name) =>
    /^\d/.test(name)
  );
}

/** More than programs have for variables; whatever has a long text there takes no longer. */
const MAX_READ_BYTES = 256 * 1_024;

/** The beginning of a file, as much as there is room for. */
function readStart(path: string, room: Buffer): Buffer {
  using file = Deno.openSync(path);
  let length = 0;
  while (length < room.length) {
    const count = file.readSync(room.subarray(length));
    if (count === null) break;
    length += count;
  }
  return room.subarray(0, length);
}

/** A program of a desk; `undefined` for all others. */
function readProgram(pid: string, room: Buffer): DeskProgram | undefined {
  try {
    const variables = readStart(`/proc/${pid}/environ`, room); // of others, it is not read
    const at = variables.indexOf(`${MARK}=`);
    if (at === -1 || at > 0 && variables[at - 1] !== 0) return undefined;
    const from = at + MARK.length + 1;
    const folder = variables.toString("utf8", from, variables.indexOf(0, from));
    const [, resident = 0, shared = 0] = Deno.readTextFileSync(`/proc/${pid}/statm`)
      .split(" ").map(Number);
    return { pid: Number(pid), folder, bytes: (resident - shared) * PAGE_BYTES };
  } catch {
    return undefined;
  }
}
