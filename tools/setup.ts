/** `deno task setup`: installs the system packages that the tests (or, with `--for bench`, the benchmark) need. */

import { type Host, thisHost } from "../src/platform/host.ts";
import { installPackages } from "../src/setup.ts";

type Purpose = "test" | "bench";
type Packages = Readonly<Record<string, string>>;

/** Package -> a program of it, by which we see that it is there; a path where it is not meant for users. */
const PACKAGES: Readonly<Record<Purpose, Packages>> = {
  test: {
    "busybox": "busybox",
    "curl": "curl",
    "dbus-daemon": "dbus-run-session",
    "gnome-keyring": "gnome-keyring-daemon",
    "imagemagick": "import",
    "libsecret-tools": "secret-tool",
    "openbox": "openbox",
    "sway": "sway",
    "unzip": "unzip",
    "x11-apps": "xwd",
    "x11-utils": "xdpyinfo",
    "x11-xkb-utils": "setxkbmap",
    "x11-xserver-utils": "xhost",
    "xauth": "xauth",
    "xdotool": "xdotool",
    "xterm": "xterm",
    "xvfb": "Xvfb",
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
  const purpose = args[0] === "--for" ? args[1] : "test";
  if ((purpose !== "test" && purpose !== "bench") || args.length > 2 || args.length === 1) {
    console.error("setup: use --for test or --for bench");
    return 2;
  }
  const missing = await missingPackages(host, purpose);
  if (missing.length === 0) return 0;
  const result = await installPackages(host, missing, { purpose: `for ${purpose}`, allowed: true });
  if (result.installed) return 0;
  console.error(`setup: ${missing.join(", ")} missing: ${result.reason}`);
  return 1;
}

/** What the benchmark needs includes what the tests need. */
async function missingPackages(host: Host, purpose: Purpose): Promise<string[]> {
  const wanted = {
    ...PACKAGES.test,
    ...(host.env["REQUIRE_WINE"] === "1" ? WINE : {}),
    ...(purpose === "bench" ? PACKAGES.bench : {}),
  };
  const missing = Object.entries(wanted)
    .filter(([, program]) => !isThere(host, program))
    .map(([name]) => name);
  return await hasTk(host) ? missing : [...missing, "python3-tk"];
}

function isThere(host: Host, program: string): boolean {
  return program.startsWith("/") ? host.exists(program) : host.which(program) !== undefined;
}

/** The package is for the system's own Python, which need not be the first on the path. */
async function hasTk(host: Host): Promise<boolean> {
  const python = "/usr/bin/python3";
  return host.exists(python) && (await host.run(python, ["-c", "import tkinter"])).code === 0;
}
