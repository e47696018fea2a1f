/** Checks the session, the X server that would be display 1, pictures of it, and input. */

import type { Config } from "../../../config/config.ts";
import { createLog } from "../../../core/log.ts";
import {
  type Examine,
  examineDisplayCapability,
  failed,
  findWanted,
  note,
  ok,
  takeTestPicture,
  type Verdict,
} from "../../diagnosis.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { AtspiClient } from "../atspi/client.ts";
import {
  findSessionAccessibilityBus,
  isSwitchedOn,
  runsAccessibilityBus,
} from "../atspi/find_bus.ts";
import { openBus } from "../bus/open_bus.ts";
import { DAEMON, sessionBusAddress } from "../bus/types.ts";
import { findLauncher } from "../virtual/own_buses.ts";
import { chooseBackend, type ChosenBackend } from "../displays/backends.ts";
import type { OpenDisplay } from "../linux_display.ts";
import { readProcesses } from "../process/process_identity.ts";
import { installCommand } from "../setup/programs.ts";
import { findListener } from "../sockets/socket_holders.ts";
import { type CompositorSocket, findCompositor, isWaylandOnly } from "../wayland/backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../wayland/client.ts";
import { KDE_WAYLAND_INTERFACES } from "../wayland/kde/script.ts";
import type { InterfaceName } from "../wayland/protocols/mod.ts";
import { grantRecordPath } from "../wayland/portal/open_session.ts";
import { startVirtualWayland } from "../virtual/wayland_display.ts";
import { openX11Display } from "../x11/display.ts";
import { X11ScreenReader } from "../x11/screen_reader.ts";
import { readAccessibilityBus } from "../x11/window_queries.ts";
import {
  checkInputExtensions,
  checkKeymap,
  checkOther,
  checkRoundTrip,
  checkWindowManager,
  FIND_MS,
  findServer,
  hangingServer,
  NAMED_MS,
  type Session,
} from "./servers.ts";

/** The report says what is found. */
const NO_LOG = createLog(() => {});

export async function examineDisplay(examine: Examine, host: Host, config: Config): Promise<void> {
  const wanted = findWanted(config);
  if (!wanted.screen) {
    await examine("display", () => ok("not checked: disabled by --disable"));
    return;
  }
  await examine("session", () => checkSession(host));
  const compositor = findCompositor(host);
  if (compositor !== undefined) {
    await examine("compositor", () => checkCompositor(host, compositor), { asked: false });
    await examine("protocols", () => checkProtocols(host, compositor), {
      asked: false,
      limitMs: KWIN_OPEN_TIMEOUT_MS,
    });
  }
  if (isWaylandSession(host)) {
    await examine("portals", () => checkPortals(host, config), { asked: false });
  }
  if (config.virtualDisplay?.server === "wayland") {
    return await examineVirtualWayland(examine, { host, config }, config.virtualDisplay);
  }
  const { keymapSettleMs } = config.limits;
  const openX11: OpenDisplay = (displayNum, xDisplay) =>
    openX11Display({ displayNum, xDisplay, keymapSettleMs });
  await using backend = chooseBackend({ host, config, log: NO_LOG, openX11 });
  if (backend.ownDisplay !== undefined) {
    return await examineOwn(examine, { host, config }, backend);
  }
  await examineX11(examine, { host, config, refusal: backend.refusal() });
}

async function examineX11(examine: Examine, session: Session): Promise<void> {
  const { host, config } = session;
  const wanted = findWanted(config);
  await using atEnd = new AsyncDisposableStack();
  const named = config.displays.get(1) ?? host.env["DISPLAY"];
  let found: Awaited<ReturnType<typeof findServer>> | undefined;
  const { status } = await examine("display", async () => {
    found = await findServer(session, atEnd);
    return found.verdict;
  }, { late: hangingServer(named), limitMs: named === undefined ? FIND_MS : NAMED_MS });
  await examineOthers(examine, config);
  const connection = found?.connection;
  if (status !== "ok" || connection === undefined) return;
  atEnd.use(connection);
  const late = hangingServer(connection.name);
  await examine("XTEST", () => checkInputExtensions(connection), { asked: wanted.input, late });
  await examine("keymap", () => checkKeymap(connection), { asked: wanted.keyboard, late });
  const start = {
    isOwn: found?.isOwn ?? false,
    hasOpenbox: host.which("openbox") !== undefined,
    install: installCommand(host, ["openbox"]),
  };
  await examine("window manager", () => checkWindowManager(connection, start), { late });
  await examine("elements", async () => {
    if (start.isOwn) return checkOwnElements(host);
    return await checkElements(host, await readAccessibilityBus(connection));
  }, { asked: false });
  await examine("test picture", async () => {
    const screen = await X11ScreenReader.open(connection.name);
    atEnd.defer(() => screen.close());
    return await takeTestPicture(screen, connection.size);
  }, {
    asked: wanted.pictures,
    late,
    mend: "start the X server with depth 24, or --virtual-display",
  });
  await examine("test input", () => checkRoundTrip(connection), { asked: wanted.input, late });
}

/** The display of a backend that needs no X server. */
async function examineOwn(
  examine: Examine,
  { host, config }: Pick<Session, "host" | "config">,
  backend: ChosenBackend,
): Promise<void> {
  const { ownDisplay, open } = backend;
  let opened: ReturnType<OpenDisplay> | undefined;
  const first = () => opened ??= open(1, ownDisplay!.name);
  const readiness = async () => {
    const { size } = await first();
    const { name, reason } = backend; // known once it is open
    const what = `"${ownDisplay!.name}", ${size.width}x${size.height}`;
    return { ready: true, reason: `${what}, by ${name}: ${reason}` };
  };
  const mend = adviceFor(host);
  await examineDisplayCapability(examine, { open: first, readiness }, {
    config,
    mend,
    limitMs: KWIN_OPEN_TIMEOUT_MS,
  });
  await examine("elements", () => checkElements(host), { asked: false });
}

async function examineOthers(examine: Examine, config: Config): Promise<void> {
  for (const [number, xDisplay] of config.displays) {
    if (number === 1) continue;
    await examine(`display ${number}`, () => checkOther(xDisplay), {
      late: hangingServer(xDisplay),
      limitMs: NAMED_MS,
    });
  }
}

// Checks the virtual display of Wayland, by one that is started for the test.

async function examineVirtualWayland(
  examine: Examine,
  { host, config }: { readonly host: Host; readonly config: Config },
  size: Size,
): Promise<void> {
  const mend = installCommand(host, ["sway"]);
  if (host.which("sway") === undefined) {
    const detail = "a virtual display of Wayland needs sway, which is not installed";
    await examine("display", () => failed(detail, mend));
    return;
  }
  await using atEnd = new AsyncDisposableStack();
  const stateDir = await Deno.makeTempDir({ prefix: "computer-control-doctor-" });
  atEnd.defer(() => Deno.remove(stateDir, { recursive: true }));
  const start = async () => {
    const options = { size, config: { ...config, stateDir }, log: NO_LOG };
    return atEnd.use(await startVirtualWayland(host, options));
  };
  let started: ReturnType<typeof start> | undefined;
  const open = async () => {
    const { session, display } = await (started ??= start());
    return await session!.open(1, display);
  };
  const readiness = async () => {
    const { size: { width, height } } = await open();
    const what = `a virtual display of Wayland of ${width}x${height}`;
    return { ready: true, reason: `${what}, as requested by --virtual-display` };
  };
  await examineDisplayCapability(examine, { open, readiness }, { config, mend, limitMs: FIND_MS });
  await examine("elements", () => checkOwnElements(host), { asked: false });
}

// Checks whether programs of the display can report what they show.

const PACKAGES = ["dbus-daemon", "at-spi2-core"];
const SWITCH_ON =
  "gsettings set org.gnome.desktop.interface toolkit-accessibility true, and restart those programs";

/** Of a virtual display, which gets buses of its own. */
function checkOwnElements(host: Host): Verdict {
  const isThere = host.which("dbus-daemon") !== undefined && findLauncher(host) !== undefined;
  if (isThere) return ok("an accessibility bus is started with the virtual display");
  return note(
    `programs report no elements: ${PACKAGES.join(" or ")} is not installed`,
    installCommand(host, PACKAGES),
  );
}

/**
 * Starts nothing: the bus of a session is started by the first program that asks for it.
 * @param named the address that the display itself names
 */
async function checkElements(host: Host, named?: string): Promise<Verdict> {
  try {
    const isRunning = await runsAccessibilityBus(host).catch((error) => {
      if (named === undefined) throw error;
      return false;
    });
    if (!isRunning && named === undefined) {
      return ok("the accessibility bus starts when a program requests it");
    }
    using client = await AtspiClient.open(named ?? await findSessionAccessibilityBus(host));
    const { length } = await client.listPrograms();
    const found = `an accessibility bus; ${length} programs report their elements`;
    if (!isRunning || await isSwitchedOn(host)) return ok(found);
    return note(`${found}; those of Qt, Chromium and Firefox are not requested to`, SWITCH_ON);
  } catch (error) {
    return note((error as Error).message, installCommand(host, PACKAGES));
  }
}

// Says which kind of session this is, and what a Wayland session offers.

const PORTAL = "org.freedesktop.portal.Desktop";
const BUS_MS = 2_000;
const NAME_SESSION = "WAYLAND_DISPLAY=<the socket of the session>, or --virtual-display";

/** Whether it is a Wayland session, with an X server for older programs or without one. */
function isWaylandSession(host: Host): boolean {
  return isWaylandOnly({ ...host, env: { ...host.env, DISPLAY: undefined } });
}

function checkSession(host: Host): Verdict {
  const { env } = host;
  const desktop = env["XDG_CURRENT_DESKTOP"] ? `, ${env["XDG_CURRENT_DESKTOP"]}` : "";
  if (findCompositor(host) !== undefined) return ok(`Wayland${desktop}`);
  if (isWaylandOnly(host)) {
    return note(`Wayland${desktop}, and WAYLAND_DISPLAY is not set`, NAME_SESSION);
  }
  if (isWaylandSession(host)) {
    const seen = `only programs on the XWayland server "${env["DISPLAY"]}" are visible`;
    return note(`Wayland${desktop}: ${seen}`, NAME_SESSION);
  }
  if (env["DISPLAY"]) return ok(`X11${desktop}`);
  return ok("none: no DISPLAY, no WAYLAND_DISPLAY (ssh, cron, systemd, a container)");
}

/**
 * The portals through which Wayland sessions let programs see and control the screen, and whether a
 * person has allowed it.
 */
async function checkPortals(host: Host, { stateDir }: Config): Promise<Verdict> {
  const names = await busNames(host);
  if (names === undefined) return note("no session bus responds", "dbus-run-session <compositor>");
  if (!names.includes(PORTAL)) {
    return note(
      "no xdg-desktop-portal on the session bus",
      installCommand(host, ["xdg-desktop-portal"]),
    );
  }
  if (host.exists(grantRecordPath(stateDir))) return ok("a person has allowed this program");
  return note("nobody has allowed this program yet", "computer-control grant portal");
}

/** Those that run or can be started; `undefined` where no bus answers. */
async function busNames(host: Host): Promise<string[] | undefined> {
  try {
    using bus = await openBus(sessionBusAddress(host), { timeoutMs: BUS_MS });
    const lists = await Promise.all(
      ["ListNames", "ListActivatableNames"].map((member) => bus.call({ ...DAEMON, member })),
    );
    return lists.flatMap(({ body: [list] }) => list as string[]);
  } catch {
    return undefined;
  }
}

// Checks a Wayland session: which compositor it is, what that offers, and who may use it.

/** Compositors that print their version when they are asked to, by the names of their processes. */
const COMPOSITORS = [
  ...["sway", "gnome-shell", "mutter", "kwin_wayland", "labwc", "river", "wayfire", "Hyprland"],
  ...["niri", "cosmic-comp", "weston", "cage", "phoc"],
];

/** Interfaces that the service speaks, and what each is for, in the order in which they are listed. */
const PURPOSES: Readonly<Partial<Record<InterfaceName, string>>> = {
  zwlr_screencopy_manager_v1: "pictures",
  zwlr_virtual_pointer_manager_v1: "mouse",
  zwp_virtual_keyboard_manager_v1: "keyboard",
  org_kde_kwin_fake_input: "mouse and keyboard",
  org_kde_kwin_keystate: "lock keys",
  zwlr_data_control_manager_v1: "clipboard",
  zwlr_foreign_toplevel_manager_v1: "windows",
  zxdg_output_manager_v1: "outputs",
};

/** What suffices, without anybody's permission. */
const OPEN = [
  "zwlr_screencopy_manager_v1",
  "zwlr_virtual_pointer_manager_v1",
  "zwp_virtual_keyboard_manager_v1",
] as const;

/** The program behind the socket, with its version. */
async function checkCompositor(
  host: Host,
  { name, path }: CompositorSocket,
): Promise<Verdict> {
  const program = (await findListener(path))?.program ?? await onlyCompositor(path);
  if (program === undefined) return note(`"${name}": its program cannot be determined`);
  const version = COMPOSITORS.includes(program) ? await versionOf(host, program) : undefined;
  return ok(`"${name}": ${version ?? `${program}, of unknown version`}`);
}

/** What the compositor offers to this program, by its own list. */
async function checkProtocols(host: Host, socket: CompositorSocket): Promise<Verdict> {
  const options = { name: socket.name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS };
  using client = await WaylandClient.open(socket.path, options);
  const offered = new Map(client.globals.list().map((each) => [each.interface, each.version]));
  const found = Object.entries(PURPOSES).flatMap(([name, purpose]) => {
    const version = offered.get(name);
    return version === undefined ? [] : [`${purpose} (${name} ${version})`];
  });
  const list = found.length === 0 ? "none for the screen or for control" : found.join(", ");
  const lacking = OPEN.filter((name) => !offered.has(name));
  if (lacking.length === 0) return ok(list);
  if (KDE_WAYLAND_INTERFACES.every((name) => offered.has(name))) return ok(list);
  return note(`${list}; not ${lacking.map((name) => PURPOSES[name]).join(", ")}`, adviceFor(host));
}

/** What grants a session that offers too little by itself. */
function adviceFor({ env }: Host): string {
  const desktop = env["XDG_CURRENT_DESKTOP"] ?? "";
  if (/kde/i.test(desktop)) return "computer-control grant kde";
  if (/gnome/i.test(desktop)) {
    return "computer-control grant portal, or --wayland-backend mutter for unattended machines";
  }
  return "computer-control grant portal, or --virtual-display";
}

/** KWin may raise its priority, and such processes show nobody what they hold. */
async function onlyCompositor(path: string): Promise<string | undefined> {
  const uid = await Deno.stat(path).then((socket) => socket.uid, () => undefined);
  const found = await readProcesses(async (pid) => {
    const program = (await Deno.readTextFile(`/proc/${pid}/comm`).catch(() => "")).trim();
    if (!COMPOSITORS.includes(program)) return undefined;
    const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
    return Number(status.match(/^Uid:\s+(\d+)/m)?.[1]) === uid ? program : undefined;
  });
  return found.length === 1 ? found[0] : undefined;
}

/** One line, such as `sway version 1.7`. */
async function versionOf(host: Host, program: string): Promise<string | undefined> {
  if (host.which(program) === undefined) return undefined;
  const { code, output } = await host.run(program, ["--version"])
    .catch(() => ({ code: 1, output: "" }));
  const line = output.split("\n").find((each) => each.trim() !== "")?.trim();
  return code === 0 && line !== undefined ? line.slice(0, 100) : undefined;
}
