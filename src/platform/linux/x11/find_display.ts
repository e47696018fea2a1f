/**
 * Decides which display is number 1: the one that was named, a virtual one, or the first that
 * answers.
 */

import type { Config } from "../../../config/config.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { VirtualScreen } from "../../../config/flag_values.ts";
import { DEFAULT_VIRTUAL_SCREEN } from "../../../config/options.ts";
import { installPackages } from "../packages.ts";
import { findPackages } from "../programs.ts";
import type { Host } from "../../host.ts";
import type { LinuxDisplays, OpenFailure } from "../displays.ts";
import type { OwnDisplay } from "../own_displays.ts";
import { describeOpenFailure, isRefused } from "./open_failure.ts";
import type { VirtualDisplay } from "../virtual_display.ts";

/** How display 1 was found, or why it was not found and what to do. */
export interface Found {
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
): Promise<Found> {
  if (config.displays.has(1)) return { reason: "given by --display" };
  if (config.virtualDisplay !== undefined) {
    return await openVirtual(host, config, { startVirtual, why: "as --virtual-display asks" });
  }
  try {
    await displays.open(1);
    return {
      reason: host.env["DISPLAY"] ? "it is $DISPLAY" : "an X server of this user answered there",
    };
  } catch (error) {
    const refused = refusal();
    if (refused !== undefined) return { reason: refused };
    if (!isHeadless(host, error)) return { reason: "" };
    return await openVirtual(host, config, {
      startVirtual,
      why: "because this computer has no display",
    });
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
): Promise<Found> {
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
    return { reason: `the virtual display does not start: ${(error as Error).message}` };
  }
}
