/**
 * Decides which display is number 1: the one that was named, a virtual one, or the first that
 * answers.
 */

import type { Config } from "../../../config/config.ts";
import type { VirtualScreen } from "../../../config/flag_values.ts";
import { DEFAULT_VIRTUAL_SCREEN } from "../../../config/options.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import type { LinuxDisplays, OpenFailure } from "./displays.ts";
import type { OwnDisplay, VirtualDisplay } from "../linux_display.ts";
import { findPackages, installPackages } from "../setup/programs.ts";
import { X11Connection } from "../x11/connection.ts";
import { PREDEFINED } from "../x11/client.ts";
import { describeOpenFailure, isRefused, XOpenError } from "../x11/setup.ts";

/** How display 1 was found, or why it was not found and what to do. */
export interface FirstDisplay {
  readonly reason: string;
  readonly virtual?: VirtualDisplay;
}

/** Where to look for the desktop of a user when the environment names no display. */
const GUESS = ":1";

export type StartVirtual = (wanted: VirtualScreen) => Promise<VirtualDisplay>;

export async function findDisplay(
  host: Host,
  config: Config,
  { displays, startVirtual, refusal }: {
    readonly displays: LinuxDisplays;
    readonly startVirtual: StartVirtual;
    /** Why this session cannot have a display 1. */
    readonly refusal: () => string | undefined;
  },
): Promise<FirstDisplay> {
  if (config.displays.has(1)) return { reason: "given by --display" };
  const open = (why: string) => openVirtual(host, config, { startVirtual, why });
  if (config.virtualDisplay !== undefined) return await open("as requested by --virtual-display");
  try {
    await displays.open(1);
    return {
      reason: host.env["DISPLAY"] ? "it is $DISPLAY" : "an X server of this user answered there",
    };
  } catch (error) {
    const refused = refusal();
    if (refused !== undefined) return { reason: refused };
    if (!isHeadless(host, error)) return { reason: "" };
    return await open("because this computer has no display");
  }
}

/**
 * The candidates for number 1: the display of the backend, the display that the session names,
 * otherwise a guess, which can be refused. In a Wayland session nothing is guessed.
 */
export function candidatesFor(
  host: Host,
  config: Config,
  { refusal, ownDisplay }: {
    readonly refusal: string | undefined;
    readonly ownDisplay?: OwnDisplay | undefined;
  },
): readonly string[] {
  if (config.virtualDisplay !== undefined) return [];
  if (ownDisplay !== undefined) {
    const { name, otherwise } = ownDisplay;
    return otherwise ? [name, otherwise] : [name];
  }
  const { DISPLAY: named } = host.env;
  if (named) return [named];
  return refusal === undefined ? [GUESS] : [];
}

/** Creates the error for number 1 while it is not bound. */
export function unboundError(
  failures: readonly OpenFailure[],
  { advice, refusal }: { readonly advice: string; readonly refusal: string | undefined },
): ServiceError {
  const cause = new AggregateError(failures.map(({ error }) => error));
  if (refusal !== undefined) return new ServiceError("unsupported", refusal, { cause });
  const why = failures.map(({ name, error }) => describeOpenFailure(name, error));
  const todo = advice || "start an X server there, or start the service with --virtual-display";
  return new ServiceError(
    "unavailable",
    `Cannot open display 1: ${[...why, todo].join("; ")}`,
    { cause },
  );
}

/**
 * Whether there is no sign of a display. A display that is named but absent, or that refuses the
 * connection, is waited for.
 */
function isHeadless(host: Host, error: unknown): boolean {
  if (host.env["DISPLAY"]) return false;
  const cause = (error as Error).cause;
  return !(cause instanceof AggregateError && cause.errors.some(isRefused));
}

/** By which a terminal shows Latin letters, emoji and Chinese. */
const FONTS = [
  "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
  "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf",
  "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
] as const;

/** The server itself, and what is installed with it: also the demo, with fonts for all scripts. */
const PROGRAMS = {
  x11: ["Xvfb", "openbox", "dbus-daemon", "/usr/libexec/at-spi-bus-launcher", "xterm", ...FONTS],
  wayland: ["sway"],
} as const satisfies Record<VirtualScreen["server"], readonly [string, ...string[]]>;

async function openVirtual(
  host: Host,
  config: Config,
  { startVirtual, why }: { readonly startVirtual: StartVirtual; readonly why: string },
): Promise<FirstDisplay> {
  const wanted = config.virtualDisplay ?? DEFAULT_VIRTUAL_SCREEN;
  const [server, ...others] = PROGRAMS[wanted.server];
  if (host.which(server) === undefined) {
    const setup = await installPackages(host, findPackages(server, ...others), {
      purpose: "for a virtual display",
      allowed: config.setup,
    });
    if (!setup.installed) {
      return {
        reason: `a virtual display needs ${server}, which is not installed: ${setup.reason}`,
      };
    }
  }
  try {
    const virtual = await startVirtual(wanted);
    const kind = wanted.server === "wayland" ? "virtual display of Wayland" : "virtual display";
    return { reason: `a ${kind} of ${wanted.width}x${wanted.height}, ${why}`, virtual };
  } catch (error) {
    return { reason: `the virtual display did not start: ${(error as Error).message}` };
  }
}

// Checks whether an X server that was not named explicitly is the desktop of our user.

/**
 * @param uid our user, or `null` on systems without numeric user ids
 * @throws XOpenError when there is no server, when it belongs to another user, when it refuses the
 *   connection, or when it is the virtual display of another instance
 */
export async function checkGuess(xDisplay: string, uid: number | null): Promise<void> {
  const path = socketPath(Number(xDisplay.slice(1)));
  const owner = (await Deno.lstat(path).catch(() => undefined))?.uid ?? undefined;
  if (owner === undefined) {
    throw new XOpenError("absent", `no X server answers at "${xDisplay}"`);
  }
  if (owner !== uid) {
    throw new XOpenError("not_ours", `the X server at "${xDisplay}" belongs to another user`);
  }
  using connection = await X11Connection.open(xDisplay);
  if (!await isVirtualDisplay(connection)) return;
  throw new XOpenError(
    "not_ours",
    `the X server at "${xDisplay}" is the virtual display of another instance`,
  );
}

// The property on the root window by which every instance recognizes a virtual display of this
// service.

/** Its value is the id of the process that owns the display. */
export const MARK = "_COMPUTER_CONTROL_VIRTUAL_DISPLAY";

async function isVirtualDisplay(connection: X11Connection): Promise<boolean> {
  const atom = await connection.request("InternAtom", true, MARK);
  if (atom === 0) return false;
  const asked = [0, connection.root, atom, PREDEFINED.CARDINAL, 0, 1] as const;
  return (await connection.request("GetProperty", ...asked)).type === PREDEFINED.CARDINAL;
}

// Chooses the number of a virtual display: 99 or higher, so that it is not mistaken for a user's
// desktop.

const FIRST_NUMBER = 99;
const LAST_NUMBER = 9_999;

/** Another X server already uses the number. */
export class NumberTakenError extends Error {
  override readonly name = "NumberTakenError";
}

/**
 * Starts a server on the first free number.
 * @param start throws {@link NumberTakenError} when another server took the number first
 * @param taken displays (`:99`) to skip
 */
export async function startOnFreeNumber<T>(
  start: (display: string) => Promise<T>,
  taken: ReadonlySet<string>,
): Promise<T> {
  for (let number = FIRST_NUMBER; number <= LAST_NUMBER; number++) {
    const display = `:${number}`;
    if (taken.has(display) || await isServed(number)) continue;
    try {
      return await start(display);
    } catch (error) {
      if (!(error instanceof NumberTakenError)) throw error;
    }
  }
  throw new Error(`every display from :${FIRST_NUMBER} to :${LAST_NUMBER} is in use`);
}

function socketPath(number: number): string {
  return `/tmp/.X11-unix/X${number}`;
}

/**
 * Whether a server listens there, even one that hangs; the socket left behind by a killed server
 * counts as free.
 */
async function isServed(number: number): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path: socketPath(number) })).close();
    return true;
  } catch (error) {
    const free = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.ConnectionRefused;
    return !free;
  }
}
