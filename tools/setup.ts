/** `deno task setup`: installs the system packages that the tests (or, with `--for`, some of them or the benchmark) need. */

import { type Host, thisHost } from "../src/platform/host.ts";
import { installPackages } from "../src/setup.ts";

type Purpose = "programs" | "test" | "bench";
type Packages = Readonly<Record<string, string | readonly string[]>>;

/**
 * Package -> a program of it, by which we see that it is there; a path where it is not meant for
 * users; several names where systems call it differently.
 */
const PACKAGES: Readonly<Record<Purpose, Packages>> = {
  programs: {
    "chromium": ["chromium", "chromium-browser", "google-chrome"],
    "dbus-daemon": "dbus-run-session",
    "featherpad": "featherpad",
    "firefox-esr": ["firefox-esr", "firefox"],
    "gnome-text-editor": "gnome-text-editor",
    "libreoffice-calc": "localc",
    "mousepad": "mousepad",
    "x11-utils": "xprop",
    "x11-xkb-utils": "setxkbmap",
    "xdotool": "xdotool",
    "xfwm4": "xfwm4",
    "xterm": "xterm",
    "xvfb": "Xvfb",
  },
  test: {
    "busybox": "busybox",
    "curl": "curl",
    "gnome-keyring": "gnome-keyring-daemon",
    "imagemagick": "import",
    "libsecret-tools": "secret-tool",
    "strace": "strace",
    "sway": "sway",
    "unzip": "unzip",
    "x11-apps": "xwd",
    "x11-xserver-utils": "xhost",
    "xauth": "xauth",
  },
  bench: {
    "fd-find": "fdfind",
    "hyperfine": "hyperfine",
    "maim": "maim",
    "scrot": "scrot",
    "wrk": "wrk",
  },
};

/** With `REQUIRE_WINE=1` only: the tests of the Windows code are left out where wine is missing. */
const WINE: Packages = { "wine": "wine", "wine64": "/usr/lib/wine/wine64" };

if (import.meta.main) Deno.exit(await setup(Deno.args, thisHost()));

/** Returns the exit code. */
async function setup(args: readonly string[], host: Host): Promise<number> {
  const purpose = args.length === 0 ? "test" : args[1];
  if ((args.length > 0 && (args[0] !== "--for" || args.length > 2)) || !isPurpose(purpose)) {
    console.error("setup: use --for programs, --for test or --for bench");
    return 2;
  }
  const missing = await missingPackages(host, purpose);
  if (missing.length === 0) return 0;
  const result = await installPackages(host, missing, { purpose: `for ${purpose}`, allowed: true });
  if (result.installed) return 0;
  console.error(`setup: ${missing.join(", ")} missing: ${result.reason}`);
  return 1;
}

function isPurpose(word: string | undefined): word is Purpose {
  return word !== undefined && Object.hasOwn(PACKAGES, word);
}

/** What the benchmark needs includes what the tests need, and that what the tests with real programs need. */
async function missingPackages(host: Host, purpose: Purpose): Promise<string[]> {
  const wanted = {
    ...PACKAGES.programs,
    ...(purpose === "programs" ? {} : PACKAGES.test),
    ...(host.env["REQUIRE_WINE"] === "1" ? WINE : {}),
    ...(purpose === "bench" ? PACKAGES.bench : {}),
  };
  const missing = Object.entries(wanted)
    .filter(([, programs]) => ![programs].flat().some((program) => isThere(host, program)))
    .map(([name]) => name);
  return purpose === "programs" || await hasTk(host) ? missing : [...missing, "python3-tk"];
}

function isThere(host: Host, program: string): boolean {
  return program.startsWith("/") ? host.exists(program) : host.which(program) !== undefined;
}

/** The package is for the system's own Python, which need not be the first on the path. */
async function hasTk(host: Host): Promise<boolean> {
  const python = "/usr/bin/python3";
  return host.exists(python) && (await host.run(python, ["-c", "import tkinter"])).code === 0;
}
