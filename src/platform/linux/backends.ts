/**
 * The backends that see and control displays on Linux: one table, in the order in which they are
 * tried.
 */

import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Host } from "../host.ts";
import { missing } from "../open_port.ts";
import type { Port } from "../types/mod.ts";
import { installPackages } from "./packages.ts";
import { findPackages } from "./programs.ts";
import { isWaylandOnly, WAYLAND_ONLY } from "./wayland/session.ts";
import type { Connection, OpenConnection } from "./x11/displays.ts";
import { withXdotool } from "./xdotool/driver.ts";

export interface Backend {
  readonly name: "wayland" | "x11" | "xdotool";
  /** Whether it suits this session and these flags. */
  fits(host: Host, config: Config): boolean;
  /**
   * Wraps a display that the built-in driver has opened; not ready where this version has no
   * driver.
   */
  readonly display: Port<(opened: Connection, xDisplay: string) => Connection>;
  /** Why the input of this backend is in use. */
  inputReason(config: Config): string;
  /** Installs the program that it starts, when that is missing and installing is allowed. */
  prepare?(host: Host, config: Config, log: Log): Promise<void>;
}

export const BACKENDS: readonly Backend[] = [
  {
    name: "wayland",
    fits: (host) => isWaylandOnly(host),
    display: missing(WAYLAND_ONLY),
    inputReason: () => WAYLAND_ONLY,
  },
  {
    name: "x11",
    fits: (_host, { inputDriver }) => inputDriver !== "xdotool",
    display: { ready: true, use: (opened) => opened },
    inputReason: ({ inputDriver }) =>
      inputDriver === "x11"
        ? AS_ASKED
        : "built in; xdotool is slower and only used with --input-driver xdotool",
  },
  {
    name: "xdotool",
    fits: (_host, { inputDriver }) => inputDriver === "xdotool",
    display: { ready: true, use: withXdotool },
    inputReason: () => AS_ASKED,
    prepare: installXdotool,
  },
];

const AS_ASKED = "as --input-driver asks";

/** The backend for X displays, and the reason, if any, why none of them can become display 1. */
export interface ChosenBackend extends Pick<Backend, "name" | "inputReason" | "prepare"> {
  /** Opens an X display with `openX11` and wraps it for this backend. */
  open(openX11: OpenConnection, displayNum: number, xDisplay: string): Promise<Connection>;
  /**
   * Why this version cannot serve the session. Evaluated on each call, because a session can start
   * later.
   */
  refusal(): string | undefined;
}

/**
 * The first backend that fits and is ready. X displays that are named explicitly are served in
 * every session.
 */
export function chooseBackend(host: Host, config: Config): ChosenBackend {
  const fitting = () => BACKENDS.filter((backend) => backend.fits(host, config));
  for (const backend of fitting()) {
    const { display } = backend;
    if (!display.ready) continue;
    return {
      ...backend,
      open: async (openX11, displayNum, xDisplay) =>
        display.use(await openX11(displayNum, xDisplay), xDisplay),
      refusal: () => {
        const first = fitting()[0];
        return first?.display.ready === false ? first.display.reason : undefined;
      },
    };
  }
  throw new Error("No backend fits"); // a flag has a value that is missing from the table
}

async function installXdotool(host: Host, config: Config, log: Log): Promise<void> {
  if (host.which("xdotool") !== undefined) return;
  const purpose = "for --input-driver xdotool";
  const setup = await installPackages(host, findPackages("xdotool"), {
    purpose,
    allowed: config.setup,
  });
  if (!setup.installed) log.warn("xdotool is not installed", { advice: setup.reason });
}
