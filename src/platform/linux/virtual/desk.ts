/**
 * The desks of Linux: each is a platform of its own on a virtual display, whose programs have their own
 * home, so that no program hands over to one on another desk, and are known by a variable, so that none
 * is left.
 */

import { Buffer } from "node:buffer";
import { basename, join } from "node:path";
import { poll } from "../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../core/errors.ts";
import type { Config } from "../../../config/config.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import { log } from "../../../core/log.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import type { Environment } from "../../environment.ts";
import type { Host } from "../../host.ts";
import { sendSignal } from "../../posix/process_table.ts";
import type { DeskOptions, DeskPlatform, Platform } from "../../types/mod.ts";
import { listProcesses, readStat } from "../process/process_identity.ts";
import { X11Connection } from "../x11/connection.ts";
import { WindowManager } from "../x11/window_queries.ts";

/** What leads programs to another display, or to the user's own settings and programs. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  ("DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS " +
    "SESSION_MANAGER DESKTOP_SESSION SWAYSOCK HYPRLAND_INSTANCE_SIGNATURE XDG_CONFIG_HOME " +
    "XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_SESSION_TYPE XDG_CURRENT_DESKTOP " +
    "XDG_SESSION_ID XDG_ACTIVATION_TOKEN").split(" "),
);
/** How long a window manager may take to be there. */
const MANAGER_MS = 1_500;
/** When it is asked again: while it starts, it may lose what it is sent. */
const ASKED_MS = 20;

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
    }).catch(async (error) => {
      await clearDesk(host, folder);
      throw error;
    });
    const { virtual } = platform;
    const end = async () => {
      try {
        await endDesk(platform, { host, folder });
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
        const all = await findPrograms({ folder, but: virtual.managerPid });
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

/**
 * Makes the folders of a desk, and gives the environment of its programs.
 * @throws ServiceError `unavailable`: the disk takes none
 */
async function prepareHome(host: Host, folder: string): Promise<Environment> {
  const [run, temporary] = [join(folder, "run"), join(folder, ".tmp")];
  const link = temporaryLink(host, folder);
  try {
    for (const each of [run, temporary, join(folder, "Downloads")]) {
      await Deno.mkdir(each, { mode: 0o700 });
    }
    await Deno.symlink(temporary, link);
  } catch (cause) {
    const message = `Cannot make the folders of the desk: ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
  return {
    ...Object.fromEntries(Object.entries(host.env).filter(([name]) => !LEFT_OUT.has(name))),
    HOME: folder,
    TMPDIR: link,
    // also where its path is too long for sockets: that of the user leads to the user's programs
    XDG_RUNTIME_DIR: run,
  };
}

/** By which programs reach their folder for temporary files: sockets have no room for its path. */
function temporaryLink({ env }: Host, folder: string): string {
  return join(env.TMPDIR || "/tmp", `computer-control-${basename(folder)}`);
}

/** Ends what still runs on a desk, and removes what it has outside of its folder. */
export async function clearDesk(host: Host, folder: string): Promise<void> {
  await endPrograms({ folder });
  await Deno.remove(temporaryLink(host, folder)).catch(() => {});
}

/**
 * Waits until the window manager answers: windows that open before it is there get no keyboard focus,
 * and what programs ask for while it starts is lost: xterm waits 5 seconds for an answer.
 * @throws ServiceError `unavailable` when the display ends meanwhile
 */
async function isManaged(display: string): Promise<void> {
  try {
    using connection = await X11Connection.open(display);
    const manager = await WindowManager.open(connection);
    await poll(() => manager.caughtUp(ASKED_MS), { everyMs: 10, timeoutMs: MANAGER_MS });
  } catch (cause) {
    const message = `Cannot open the desk: its display has ended: ${(cause as Error).message}`;
    throw new ServiceError("unavailable", message, { cause });
  }
}

/** The variables by which programs find a desk, besides those of its display. */
export function deskVariables({ env }: Host): Readonly<Record<string, string>> {
  const { HOME, TMPDIR, XDG_RUNTIME_DIR } = env;
  return {
    ...(HOME && { HOME, [MARK]: HOME }),
    ...(TMPDIR && { TMPDIR }),
    ...(XDG_RUNTIME_DIR && { XDG_RUNTIME_DIR }),
  };
}

/** Its programs first: one that hangs would hold up the rest. */
async function endDesk(
  platform: Platform,
  { host, folder }: { readonly host: Host; readonly folder: string },
): Promise<void> {
  await endPrograms({ folder, but: platform.virtual?.managerPid });
  try {
    await platform[Symbol.asyncDispose]();
  } finally {
    await clearDesk(host, folder);
  }
}

// The programs of a desk: known by a variable that all of them get, and where one has written over
// its variables, as Chromium does, or dropped them, by its folder or its parent.

/** Every program of a desk gets it: the folder of the desk, which no other one ever has. */
const MARK = "COMPUTER_CONTROL_DESK";

interface WantedPrograms {
  /** Of the desk. */
  readonly folder: string;
  /** This one is none: the window manager, which is started again when it ends. */
  readonly but?: number | undefined;
}

/** The programs that run on a desk now. */
async function findPrograms(wanted: WantedPrograms): Promise<readonly Program[]> {
  return select(await looks.run(), wanted);
}

const LOOKS = { first: 20, most: 100 };
/** How long they may take to be gone: on a busy computer a killed program is there for a while. */
const END_MS = 2_000;

/**
 * Kills the programs of a desk, those that have left their session too, and what was started while its
 * parent was being killed. Those that are not gone after 2 seconds are left, and the log names them.
 */
async function endPrograms(wanted: WantedPrograms): Promise<void> {
  let left: readonly Program[] = [];
  const areGone = await poll(async () => {
    left = await findPrograms(wanted);
    for (const { pid } of left) sendSignal(pid, "SIGKILL");
    return left.length === 0;
  }, { everyMs: LOOKS, timeoutMs: END_MS });
  if (areGone) return;
  const pids = left.map(({ pid }) => pid).join(" ");
  log.warn("programs of a desk could not be ended", { folder: wanted.folder, pids });
}

interface Program {
  readonly pid: number;
  /** The memory that it has for itself, in bytes (proc(5)). */
  readonly bytes: number;
}

/** A process that can be a program of a desk. */
interface Candidate extends Program {
  /** The folder of its desk, as its variables say; absent where they cannot be read any more. */
  readonly folder?: string;
  /** Else these say where it comes from. */
  readonly cwd?: string | undefined;
  readonly parent?: number | undefined;
}

function select(all: readonly Candidate[], { folder, but }: WantedPrograms): readonly Program[] {
  const own = new Set<number>();
  const isOwn = ({ folder: named, cwd, parent }: Candidate) =>
    named === undefined
      ? cwd === folder || cwd?.startsWith(`${folder}/`) || own.has(parent!)
      : named === folder;
  for (let before = -1; own.size > before;) {
    before = own.size;
    for (const each of all) if (isOwn(each)) own.add(each.pid);
  }
  return all.filter(({ pid }) => own.has(pid) && pid !== but);
}

/** One look at all processes serves all desks that ask before it begins. */
const looks = new SharedRun(look);

async function look(): Promise<readonly Candidate[]> {
  const yielder = new EventLoopYielder();
  const room = Buffer.allocUnsafe(MAX_READ_BYTES);
  const all: Candidate[] = [];
  for (const pid of listProcesses()) {
    await yielder.yieldIfDue();
    const found = readCandidate(pid, room);
    if (found !== undefined) all.push(found);
  }
  return all;
}

/** `undefined` for what is no program of a desk. */
function readCandidate(pid: string, room: Buffer): Candidate | undefined {
  const variables = readStart(`/proc/${pid}/environ`, room);
  if (variables !== undefined && areVariables(variables)) {
    const folder = readMark(variables);
    return folder === undefined ? undefined : { pid: Number(pid), folder, bytes: readBytes(pid) };
  }
  const stat = readStat(pid);
  if (stat === undefined || stat.hasEnded) return undefined;
  const bytes = readBytes(pid);
  return { pid: Number(pid), cwd: readFolder(pid), parent: stat.parent, bytes };
}

/** More than programs have for variables: whatever has long texts there takes no longer. */
const MAX_READ_BYTES = 256 * 1_024;

/** The beginning of a file, as much as there is room for; `undefined` where this user may not read it. */
function readStart(path: string, room: Buffer): Buffer | undefined {
  try {
    using file = Deno.openSync(path);
    let length = 0;
    while (length < room.length) {
      const count = file.readSync(room.subarray(length));
      if (count === null) break;
      length += count;
    }
    return room.subarray(0, length);
  } catch {
    return undefined;
  }
}

const SHOWN_BYTES = 256;

/** Whether it begins as variables do. */
function areVariables(bytes: Buffer): boolean {
  return /^[A-Za-z_]\w*=/.test(bytes.toString("latin1", 0, Math.min(SHOWN_BYTES, bytes.length)));
}

function readMark(variables: Buffer): string | undefined {
  const at = variables.indexOf(`${MARK}=`);
  if (at === -1 || at > 0 && variables[at - 1] !== 0) return undefined;
  const from = at + MARK.length + 1;
  return variables.toString("utf8", from, variables.indexOf(0, from));
}

const PAGE_BYTES = 4_096;

function readBytes(pid: string): number {
  const sizes = tryTo(() => Deno.readTextFileSync(`/proc/${pid}/statm`)) ?? ""; // it has ended
  const [, resident = 0, shared = 0] = sizes.split(" ").map(Number);
  return (resident - shared) * PAGE_BYTES;
}

function readFolder(pid: string): string | undefined {
  return tryTo(() => Deno.readLinkSync(`/proc/${pid}/cwd`)); // else of another user, or of the kernel
}
