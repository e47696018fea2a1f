/**
 * A Wayland desktop of a test's own: a compositor without a screen, its buses, and what else it needs,
 * all as a normal user, with folders of their own. It ends with everything that runs on it.
 */

import { endProgramsAtHome } from "../../real_programs/support/home.ts";
import type { RealProcess } from "../../real_programs/support/processes.ts";
import { testFolder } from "../folder.ts";
import { run } from "../desktop.ts";
import { type Service, type ServiceOptions, startService } from "../service.ts";
import { isOnPath } from "../test_if.ts";
import { waitFor } from "../wait.ts";
import { startBus } from "./bus.ts";
import {
  COMPOSITOR,
  type CompositorName,
  type CompositorOptions,
  START_MS,
  type Surroundings,
} from "./compositors.ts";
import { programsOf } from "./programs.ts";
import { asDesktopUser, giveToDesktopUser } from "./user.ts";

export interface WaylandDesktop extends AsyncDisposable, Surroundings {
  readonly compositor: CompositorName;
  /** All variables of a program on this desktop. */
  readonly env: Readonly<Record<string, string>>;
  /** Of each output. */
  readonly size: { readonly width: number; readonly height: number };
  /** The path of the compositor's socket. */
  readonly socket: string;
  /** What the compositor wrote since it was started. */
  log(): Promise<string>;
  /** The process of the compositor. */
  readonly pid: number;
  /** The service in the test's own process, in this session; it sees nothing else of this computer. */
  service(options?: Omit<ServiceOptions, "displays" | "env">): Promise<Service>;
  /** Kills the compositor, as a crash does; its socket stays behind. */
  crash(): Promise<void>;
  /** Starts it again after a crash, at the same socket. */
  restart(): Promise<void>;
}

const DEFAULTS: CompositorOptions = {
  ...{ width: 1280, height: 800, outputs: 1, scale: 1, layout: "us" },
  ...{ xwayland: false, config: "", asksPermission: false },
};

/** Why a desktop cannot be started here, or `undefined`; for `ignore` of a test. */
export function missingFor(
  name: CompositorName,
  programs: readonly string[] = [],
): string | undefined {
  if (Deno.build.os !== "linux") return "needs Linux";
  const needed = ["setpriv", ...COMPOSITOR[name].programs, ...programs];
  const missing = needed.filter((each) => !isOnPath(each));
  if (missing.length === 0) return undefined;
  return `needs ${missing.join(", ")} (deno task setup --for wayland)`;
}

export async function startWaylandDesktop(
  name: CompositorName,
  given: Partial<CompositorOptions> = {},
): Promise<WaylandDesktop> {
  const options = { ...DEFAULTS, ...given };
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await testFolder());
  const home = folder.path;
  opening.defer(() => endProgramsAtHome(home));
  const runtime = `${home}/run`;
  await Deno.mkdir(runtime);
  for (const path of [home, runtime]) {
    await Deno.chmod(path, 0o700);
    await giveToDesktopUser(path);
  }

  let env: Readonly<Record<string, string>> = variables(home, runtime);
  const start = programsOf(home, () => env);
  const around: Surroundings = {
    ...{ home, runtime, start },
    run: async (program, args) =>
      new TextDecoder().decode(
        await run("setpriv", asDesktopUser(program, args), env, { clearEnv: true }),
      ),
  };
  const compositor = COMPOSITOR[name];
  const bus = await startBus(start, `${runtime}/bus`, { startsServices: true });
  env = { ...env, DBUS_SESSION_BUS_ADDRESS: bus, XDG_CURRENT_DESKTOP: compositor.desktop };
  env = { ...env, ...await compositor.prepare(around, options) };
  await ownAll(home);

  let running: RealProcess;
  async function startCompositor(): Promise<void> {
    const { WAYLAND_DISPLAY: _, ...before } = env;
    env = before;
    running = compositor.start(around, options);
    const socket = await waitFor(() => findSocket(runtime, running), {
      ...{ what: name, timeoutMs: START_MS, everyMs: 20 },
    });
    env = { ...env, WAYLAND_DISPLAY: socket };
    await compositor.ready(around);
  }
  await startCompositor().catch(async (cause) => {
    throw new Error(`${name} did not start: ${await running.errors()}`, { cause });
  });
  const open = opening.move();
  return {
    ...around,
    compositor: name,
    size: { width: options.width, height: options.height },
    get env() {
      return env;
    },
    get socket() {
      return `${runtime}/${env["WAYLAND_DISPLAY"]}`;
    },
    get pid() {
      return running.pid;
    },
    log: () => running.errors(),
    service: async (more = {}) => open.use(await startService({ displays: [], env, ...more })),
    crash: async () => await running[Symbol.asyncDispose](),
    restart: startCompositor,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function variables(home: string, runtime: string): Readonly<Record<string, string>> {
  return {
    PATH: Deno.env.get("PATH")!,
    HOME: home,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    TMPDIR: runtime,
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_SESSION_TYPE: "wayland",
    DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/nonexistent/bus",
    GDK_BACKEND: "wayland",
    QT_QPA_PLATFORM: "wayland",
    GSETTINGS_BACKEND: "memory",
    GSK_RENDERER: "cairo",
    LIBGL_ALWAYS_SOFTWARE: "1",
    NO_AT_BRIDGE: "1",
    GTK_A11Y: "none",
    GIO_USE_VFS: "local",
  };
}

/** The socket of the compositor that was just started: a dead one has left its own behind. */
function findSocket(runtime: string, compositor: RealProcess): string | undefined {
  if (!compositor.running()) throw new Error("It has ended");
  const listening = Deno.readTextFileSync("/proc/net/unix");
  const names = [...Deno.readDirSync(runtime)].map(({ name }) => name);
  return names.find((name) =>
    /^wayland-\w+$/.test(name) && listening.includes(` ${runtime}/${name}\n`)
  );
}

/** Files that the test wrote, in folders that the desktop's user must be able to write to. */
async function ownAll(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    await giveToDesktopUser(path);
    if (isDirectory) await ownAll(path);
  }
}
