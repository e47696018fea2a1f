/** How each compositor is started without a screen, and when it is ready. */

import { waitFor } from "../wait.ts";
import type { RealProcess } from "../../real_programs/support/processes.ts";
import { listensAt, startBus } from "./bus.ts";
import type { StartProgram } from "./programs.ts";
import { giveToDesktopUser } from "./user.ts";
import { copyProgram } from "../written_program.ts";

export const COMPOSITORS = ["sway", "mutter", "gnome-shell", "kwin"] as const;
export type CompositorName = typeof COMPOSITORS[number];

export interface CompositorOptions {
  /** Of each output. */
  readonly width: number;
  readonly height: number;
  /** How many outputs. */
  readonly outputs: number;
  /** Of each output; on KWin alone. */
  readonly scale: number;
  /** The keyboard layout: `de`, `us,ru`; not for mutter, which has no settings of its own. */
  readonly layout: string;
  /** Whether an XWayland server runs beside it; on sway alone. */
  readonly xwayland: boolean;
  /** More lines of sway's configuration. */
  readonly config: string;
  /**
   * Whether KWin asks programs for the permission that `computer-control grant kde` gives. Without
   * it each program may do everything.
   */
  readonly asksPermission: boolean;
}

/** Where a compositor is started. */
export interface Surroundings {
  /** The home of its user. */
  readonly home: string;
  /** `XDG_RUNTIME_DIR`. */
  readonly runtime: string;
  readonly start: StartProgram;
  /** Runs a program to its end, as the user, with the variables of the desktop. */
  run(program: string, args: readonly string[]): Promise<string>;
}

interface Compositor {
  /** What must be installed. */
  readonly programs: readonly string[];
  /** `XDG_CURRENT_DESKTOP`. */
  readonly desktop: string;
  /** Starts what it needs; gives variables for it and all others. */
  prepare(
    at: Surroundings,
    options: CompositorOptions,
  ): Promise<Readonly<Record<string, string>>>;
  start(at: Surroundings, options: CompositorOptions): RealProcess;
  /** Resolves when windows can be opened; the socket is there. */
  ready(at: Surroundings): Promise<void>;
}

/** The name of the socket, for those that take one. */
const SOCKET = "wayland-test";
/** How long each step of a start may take on a busy computer. */
export const START_MS = 60_000;

const BUS_PROGRAMS = ["dbus-daemon", "dbus-send", "dbus-update-activation-environment"];
const GNOME_PROGRAMS = [...BUS_PROGRAMS, "pipewire", "wireplumber"];

export const COMPOSITOR: Readonly<Record<CompositorName, Compositor>> = {
  sway: {
    programs: ["sway", "swaymsg", "dbus-daemon"],
    desktop: "sway",
    async prepare({ home, runtime }, options) {
      await Deno.writeTextFile(`${home}/sway.conf`, swayConfig(options));
      return {
        WLR_BACKENDS: "headless",
        WLR_RENDERER: "pixman",
        WLR_LIBINPUT_NO_DEVICES: "1",
        WLR_HEADLESS_OUTPUTS: `${options.outputs}`,
        SWAYSOCK: `${runtime}/sway.sock`,
      };
    },
    start({ home, runtime, start }) {
      // one that has crashed leaves it behind, and sway would take another name
      if (exists(`${runtime}/sway.sock`)) Deno.removeSync(`${runtime}/sway.sock`);
      return start("sway", ["--config", `${home}/sway.conf`]);
    },
    async ready({ run }) {
      await waitFor(() => run("swaymsg", ["-t", "get_outputs"]), {
        ...{ what: "sway to answer", timeoutMs: START_MS },
      });
    },
  },
  mutter: {
    programs: ["mutter", ...GNOME_PROGRAMS],
    desktop: "GNOME",
    prepare: prepareGnome,
    start: ({ start }, options) => start("mutter", mutterArgs(options)),
    ready: (at) => ownsName(at, "org.gnome.Mutter.RemoteDesktop"),
  },
  "gnome-shell": {
    programs: ["gnome-shell", ...GNOME_PROGRAMS],
    desktop: "GNOME",
    prepare: prepareGnome,
    start: ({ start }, options) => start("gnome-shell", mutterArgs(options)),
    async ready(at) {
      await ownsName(at, "org.gnome.Mutter.RemoteDesktop");
      await leaveOverview(at);
    },
  },
  kwin: {
    programs: ["kwin_wayland", ...BUS_PROGRAMS],
    desktop: "KDE",
    prepare: prepareKwin,
    start: ({ home, start }, { width, height, outputs, scale, asksPermission }) =>
      start(`${home}/kwin_wayland`, [
        ...["--virtual", "--width", `${width}`, "--height", `${height}`, "--socket", SOCKET],
        ...["--scale", `${scale}`, "--output-count", `${outputs}`],
        ...["--no-lockscreen", "--no-global-shortcuts"],
      ], { seesPrograms: !asksPermission }),
    async ready(at) {
      await ownsName(at, "org.kde.KWin");
      await takesPictures(at);
    },
  },
};

function swayConfig({ width, height, outputs, layout, xwayland, config }: CompositorOptions) {
  const lines = Array.from(
    { length: outputs },
    (_, index) =>
      `output HEADLESS-${index + 1} resolution ${width}x${height} position ${index * width} 0`,
  );
  return [
    ...lines,
    `input * xkb_layout ${layout}`,
    `xwayland ${xwayland ? "enable" : "disable"}`,
    config,
    "",
  ].join("\n");
}

function mutterArgs({ width, height, outputs }: CompositorOptions): string[] {
  const monitor = ["--virtual-monitor", `${width}x${height}`];
  return [
    ...["--headless", ...Array.from({ length: outputs }, () => monitor).flat()],
    ...["--wayland", "--no-x11", "--wayland-display", SOCKET],
  ];
}

/** GNOME needs a system bus, and PipeWire with a session manager for its pictures. */
async function prepareGnome(
  { home, runtime, start }: Surroundings,
  { layout }: CompositorOptions,
): Promise<Readonly<Record<string, string>>> {
  const settings = `${home}/.config/glib-2.0/settings`;
  await Deno.mkdir(settings, { recursive: true });
  const sources = layout.split(",").map((each) => `('xkb', '${each}')`).join(", ");
  const text = `[org/gnome/desktop/input-sources]\nsources=[${sources}]\n` +
    "[org/gnome/desktop/interface]\nenable-animations=false\n" + // pictures are what they remain
    "[org/gnome/desktop/notifications]\nshow-banners=false\n" +
    "[org/gnome/mutter]\ncheck-alive-timeout=uint32 0\n"; // "not responding", on a busy computer
  await Deno.writeTextFile(`${settings}/keyfile`, text);
  await giveToDesktopUser(`${settings}/keyfile`);
  const address = await startBus(start, `${runtime}/system-bus`, { startsServices: false });
  start("pipewire", []);
  await waitFor(() => listensAt(`${runtime}/pipewire-0`), {
    ...{ what: "PipeWire", timeoutMs: START_MS },
  });
  start("wireplumber", []);
  return { DBUS_SYSTEM_BUS_ADDRESS: address, GSETTINGS_BACKEND: "keyfile" };
}

/** A copy of KWin has no file capability, with which some systems refuse to start it. */
async function prepareKwin(
  { home }: Surroundings,
  { layout, asksPermission }: CompositorOptions,
): Promise<Readonly<Record<string, string>>> {
  const program = (await Promise.all(
    (Deno.env.get("PATH") ?? "").split(":").map(async (folder) => {
      const path = `${folder}/kwin_wayland`;
      return await Deno.stat(path).then(() => path, () => undefined);
    }),
  )).find((path) => path !== undefined);
  await copyProgram(program!, `${home}/kwin_wayland`);
  await Deno.mkdir(`${home}/.config`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.config/kxkbrc`,
    `[Layout]\nUse=true\nLayoutList=${layout}\n`,
  );
  if (asksPermission) return {};
  return {
    KWIN_WAYLAND_NO_PERMISSION_CHECKS: "1",
    KWIN_SCREENSHOT_NO_PERMISSION_CHECKS: "1",
  };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the compositor has its name on the bus, which then knows its socket. */
async function ownsName({ run }: Surroundings, name: string): Promise<void> {
  // for the services that the bus starts: the portals are some
  await run("dbus-update-activation-environment", ["--all"]);
  await waitFor(async () => {
    const said = await run("dbus-send", [
      ...["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"],
      ...["org.freedesktop.DBus.NameHasOwner", `string:${name}`],
    ]);
    return said.includes("boolean true");
  }, { what: `"${name}" on the bus`, timeoutMs: START_MS, everyMs: 50 });
}

/** KWin loads what takes its pictures after it has its name. */
async function takesPictures({ run }: Surroundings): Promise<void> {
  await waitFor(async () => {
    const said = await run("dbus-send", [
      ...["--session", "--print-reply", "--dest=org.kde.KWin", "/org/kde/KWin/ScreenShot2"],
      "org.freedesktop.DBus.Introspectable.Introspect",
    ]);
    return said.includes("org.kde.KWin.ScreenShot2");
  }, { what: "KWin to take pictures", timeoutMs: START_MS, everyMs: 50 });
}

/** The Shell starts in its overview, in which windows do not get the input. */
async function leaveOverview({ run }: Surroundings): Promise<void> {
  const call = (member: string, ...values: readonly string[]) =>
    run("dbus-send", [
      ...["--session", "--print-reply", "--dest=org.gnome.Shell", "/org/gnome/Shell"],
      ...[`org.freedesktop.DBus.Properties.${member}`, "string:org.gnome.Shell"],
      ...["string:OverviewActive", ...values],
    ]);
  const isActive = async () => (await call("Get")).includes("boolean true");
  await waitFor(isActive, {
    ...{ what: "the Shell to show its overview", timeoutMs: START_MS, everyMs: 50 },
  });
  await waitFor(async () => {
    await call("Set", "variant:boolean:false");
    return !await isActive();
  }, { what: "the Shell to leave its overview", timeoutMs: START_MS, everyMs: 50 });
}
