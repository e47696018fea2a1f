/**
 * The one table of the programs that this repository starts and the Debian packages that provide
 * them.
 */

import { lastLine } from "../../../core/texts.ts";
import type { Host } from "../../host.ts";

/**
 * Who needs a program: the service itself (`start`), the tests of `deno task test`, those that
 * `deno task test:all` adds (with large programs, wine or whole Wayland desktops), the benchmarks
 * against other tools (`bench`), the trial on a fresh machine (`newcomer`), or the tasks that
 * strangers wrote or judge (`strangers`).
 */
export const PURPOSES = [
  "start",
  "test",
  "programs",
  "wine",
  "wayland",
  "bench",
  "newcomer",
  "strangers",
] as const;
export type Purpose = typeof PURPOSES[number];

interface Package {
  readonly name: string;
  /**
   * The programs whose presence shows that the package is installed, each under the names that
   * systems give it; with a path where the program is not meant for users.
   */
  readonly programs: readonly (readonly string[])[];
  readonly purpose: Purpose;
  /** A Python module for `/usr/bin/python3`, in a package without a program. */
  readonly module?: string;
}

/** A library rather than a program; its folder depends on the architecture. */
function library(path: string): string {
  return ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/${path}`).join("|");
}

/**
 * One line per package: its name, who needs it, and the programs that are started; each of them is
 * looked for.
 */
export const PACKAGES: readonly Package[] = [
  entry("at-spi2-core", "start", "/usr/libexec/at-spi-bus-launcher"),
  entry("bash", "start", "bash"),
  entry(
    "coreutils",
    "start",
    "base64 cat chmod chown chroot cp cut date df dirname du env /usr/bin/env head id ln ls mkdir mkfifo mktemp mv pwd readlink rm " +
      "rmdir seq sha256sum sleep sort stat stty sync tail tee test touch tr true uname uniq wc yes",
  ),
  entry("dash", "start", "sh /bin/sh"),
  entry("dbus-daemon", "start", "dbus-daemon dbus-run-session"),
  entry("findutils", "start", "find"),
  entry("fonts-dejavu-core", "start", "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"),
  entry("fonts-symbola", "start", "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf"),
  entry("fonts-wqy-microhei", "start", "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
  entry("grep", "start", "grep"),
  entry("libsecret-tools", "start", "secret-tool"),
  entry("openbox", "start", "openbox"),
  entry("sed", "start", "sed"),
  entry("tar", "start", "tar"),
  entry("util-linux", "start", "nsenter prlimit setarch setpriv setsid unshare"),
  entry("xdotool", "start", "xdotool"),
  entry("xterm", "start", "xterm"),
  entry("xvfb", "start", "Xvfb"),

  entry("acl", "test", "getfacl setfacl"),
  entry("bsdutils", "test", "script"),
  entry("busybox", "test", "busybox"),
  entry("chromium", "test", "chromium|chromium-browser|google-chrome"),
  entry("curl", "test", "curl"),
  entry("e2fsprogs", "test", "chattr"),
  entry("ffmpeg", "test", "ffmpeg ffprobe"),
  entry("fish", "test", "fish"),
  entry("fontconfig", "test", "fc-list"),
  entry("foot", "test", "foot"),
  entry("gnome-keyring", "test", "gnome-keyring-daemon"),
  entry("imagemagick", "test", "convert identify import"),
  entry("libfaketime", "test", library("faketime/libfaketime.so.1")),
  entry("mount", "test", "mount umount"),
  entry("procps", "test", "pgrep pkill ps /bin/ps"),
  entry("python3", "test", "/usr/bin/python3 python3"),
  module("python3-gi", "test", "gi"),
  module("python3-httpx", "test", "httpx"),
  module("python3-tk", "test", "tkinter"),
  entry("strace", "test", "strace"),
  entry("sway", "test", "sway swaymsg"),
  entry("tini", "test", "tini"),
  entry("wl-clipboard", "test", "wl-copy wl-paste"),
  entry("wmctrl", "test", "wmctrl"),
  entry("x11-apps", "test", "xwd"),
  entry("x11-utils", "test", "xdpyinfo xev xprop xwininfo"),
  entry("x11-xkb-utils", "test", "setxkbmap"),
  entry("x11-xserver-utils", "test", "xhost xmodmap xrandr"),
  entry("xauth", "test", "xauth"),
  entry("xclip", "test", "xclip"),
  entry("xfwm4", "test", "xfwm4"),
  entry("xsel", "test", "xsel"),
  entry("zenity", "test", "zenity"),
  entry("zsh", "test", "zsh"),

  entry("unzip", "wine", "unzip"),
  entry("wine", "wine", "wine"),
  entry("wine64", "wine", "/usr/lib/wine/wine64 /usr/lib/wine/wineserver64"),

  entry("dbus-bin", "wayland", "dbus-send dbus-update-activation-environment"),
  entry("gnome-shell", "wayland", "gnome-shell"),
  entry("grim", "wayland", "grim"),
  entry("libkf5service-bin", "wayland", "kbuildsycoca5"),
  entry("kwin-wayland", "wayland", "kwin_wayland"),
  entry("mutter", "wayland", "mutter"),
  entry("pipewire", "wayland", "pipewire"),
  entry("qtwayland5", "wayland", library("qt5/plugins/platforms/libqwayland-generic.so")),
  entry("wireplumber", "wayland", "wireplumber"),
  entry("xdg-desktop-portal", "wayland", "/usr/libexec/xdg-desktop-portal"),
  entry("xdg-desktop-portal-gnome", "wayland", "/usr/libexec/xdg-desktop-portal-gnome"),

  entry("featherpad", "programs", "featherpad"),
  entry("firefox-esr", "programs", "firefox-esr|firefox"),
  entry("gnome-text-editor", "programs", "gnome-text-editor"),
  entry("libreoffice-calc", "programs", "localc soffice"),
  entry("libreoffice-gtk3", "programs", "/usr/lib/libreoffice/program/libvclplug_gtk3lo.so"),
  entry("mousepad", "programs", "mousepad"),
  entry("thunar", "programs", "thunar"),

  entry("fd-find", "bench", "fdfind"),
  entry("gstreamer1.0-pipewire", "bench", library("gstreamer-1.0/libgstpipewire.so")),
  entry("gstreamer1.0-plugins-base", "bench", library("gstreamer-1.0/libgstvideoconvertscale.so")),
  entry("gstreamer1.0-plugins-good", "bench", library("gstreamer-1.0/libgstpng.so")),
  entry("gstreamer1.0-tools", "bench", "gst-launch-1.0"),
  entry("hyperfine", "bench", "hyperfine"),
  entry("maim", "bench", "maim"),
  entry("novnc", "bench", "/usr/share/novnc/vnc_lite.html"),
  module("python3-opencv", "bench", "cv2"),
  module("python3-pyatspi", "bench", "pyatspi"),
  entry("python3-websockify", "bench", "websockify"),
  entry("scrot", "bench", "scrot"),
  entry("wrk", "bench", "wrk"),
  entry("wtype", "bench", "wtype"),
  entry("x11vnc", "bench", "x11vnc"),

  entry("debootstrap", "newcomer", "debootstrap"),
  entry("gzip", "newcomer", "gzip"),
  entry("hostname", "newcomer", "hostname"),
  entry("mawk", "newcomer", "awk"),

  entry("gimp", "strangers", "gimp"),
  entry(
    "gnome-shell-common",
    "strangers",
    "/usr/share/glib-2.0/schemas/org.gnome.shell.gschema.xml",
  ),
  entry(
    "gsettings-desktop-schemas",
    "strangers",
    "/usr/share/glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml",
  ),
  entry("libatk-adaptor", "strangers", library("gtk-2.0/modules/libatk-bridge.so")),
  entry("libglib2.0-bin", "strangers", "gio gsettings"),
  entry("libreoffice-impress", "strangers", "loimpress"),
  entry("libreoffice-writer", "strangers", "lowriter"),
  module("python3-pip", "strangers", "pip"),
  entry("vlc", "strangers", "vlc"),
  entry("xdg-utils", "strangers", "xdg-mime"),
  entry("xfce4-terminal", "strangers", "xfce4-terminal"),
  entry("xfconf", "strangers", library("xfce4/xfconf/xfconfd")),
];

/** The packages that provide these programs, in the order of the programs. */
export function findPackages(...programs: readonly string[]): string[] {
  const brings = (program: string) =>
    PACKAGES.filter((each) => each.programs.flat().includes(program));
  return [...new Set(programs.flatMap(brings).map(({ name }) => name))];
}

/** @param programs as in `one two|dos`: `one`, and `two` under either of its names */
function entry(name: string, purpose: Purpose, programs: string): Package {
  return { name, purpose, programs: programs.split(" ").map((names) => names.split("|")) };
}

function module(name: string, purpose: Purpose, module: string): Package {
  return { name, purpose, programs: [], module };
}

// Finds missing system packages and installs them: without asking as root, after a prompt with
// sudo, otherwise not at all.

/**
 * The system's Python, for which the packages are built; the first on the path can be another one.
 */
const PYTHON = "/usr/bin/python3";

interface SetupResult {
  readonly installed: boolean;
  /** What was done, or what the user can do. */
  readonly reason: string;
}

interface SetupOptions {
  /** The purpose of the packages, as in `needed for a virtual display`. */
  readonly purpose: string;
  /** `false` with `--no-setup`. */
  readonly allowed: boolean;
}

/**
 * The packages for these purposes that are missing, judged by the programs and modules that they
 * provide.
 */
export async function missingPackages(
  host: Host,
  purposes: readonly Purpose[],
): Promise<string[]> {
  const wanted = PACKAGES.filter(({ purpose }) => purposes.includes(purpose));
  const there = await Promise.all(wanted.map((each) => isInstalled(host, each)));
  return wanted.filter((_, index) => !there[index]).map(({ name }) => name);
}

async function isInstalled(host: Host, { programs, module }: Package): Promise<boolean> {
  if (!programs.every((names) => names.some((name) => isThere(host, name)))) return false;
  if (module === undefined) return true;
  if (!host.exists(PYTHON)) return false;
  return (await host.run(PYTHON, ["-c", `import ${module}`])).code === 0;
}

function isThere(host: Host, program: string): boolean {
  return program.startsWith("/") ? host.exists(program) : host.which(program) !== undefined;
}

/** Installs the packages, or says how the user can. */
export async function installPackages(
  host: Host,
  packages: readonly string[],
  { purpose, allowed }: SetupOptions,
): Promise<SetupResult> {
  const refused = (reason: string): SetupResult => ({ installed: false, reason });
  if (host.which("apt-get") === undefined) {
    return refused(`install ${packages.join(", ")} with this system's package manager`);
  }
  const root = host.uid === 0;
  const byHand = `run: ${root ? "" : "sudo "}apt-get install -y ${packages.join(" ")}`;
  if (!allowed) return refused(`${byHand} (--no-setup prevents the service from doing it)`);
  if (!root && !mayUseSudo(host, packages, purpose)) return refused(byHand);

  host.say(`Installing ${packages.join(" ")} (${purpose}) with apt-get ...`);
  const failure = await install(host, packages, root ? [] : ["sudo"]);
  if (failure !== undefined) return refused(`apt-get failed (${failure}); ${byHand}`);
  return { installed: true, reason: `installed ${packages.join(" ")}` };
}

/**
 * The command that installs Debian packages, for the user of this computer.
 * @param more an option of apt-get with a space behind it
 */
export function installCommand(
  { uid, which }: Pick<Host, "uid" | "which">,
  packages: readonly string[],
  more = "",
): string {
  const names = packages.join(" ");
  if (which("apt-get") === undefined) return `install ${names} with this system's package manager`;
  const sudo = uid === 0 ? "" : "sudo ";
  return `${sudo}apt-get install -y --no-install-recommends ${more}${names}`;
}

function mayUseSudo(host: Host, packages: readonly string[], purpose: string): boolean {
  if (!host.isTerminal || host.which("sudo") === undefined) return false;
  return host.ask(`Install ${packages.join(" ")} (${purpose}) with sudo apt-get?`);
}

/** Tries the existing package lists first and updates them only when that fails. */
async function install(
  host: Host,
  packages: readonly string[],
  prefix: readonly string[],
): Promise<string | undefined> {
  // As an argument of env, because sudo does not pass the environment on.
  const apt = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  const run = ([program, ...args]: readonly string[]) =>
    host.run(program!, args, { terminal: prefix.length > 0 });
  const wanted = [...apt, "install", "-y", "--no-install-recommends", ...packages];
  if ((await run(wanted)).code === 0) return undefined;
  const update = await run([...apt, "update"]);
  if (update.code !== 0) return reasonIn(update.output);
  const second = await run(wanted);
  return second.code === 0 ? undefined : reasonIn(second.output);
}

function reasonIn(output: string): string {
  return lastLine(output) || "see its output above";
}
