/** What sees and controls displays on Linux: one table, in the order in which the backends are tried. */

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
  /** Whether it is the one for this session and these flags. */
  fits(host: Host, config: Config): boolean;
  /** Makes its display of one that the built-in driver has opened; not ready where this version has no driver. */
  readonly display: Port<(opened: Connection, xDisplay: string) => Connection>;
  /** Why its input is in use. */
  inputReason(config: Config): string;
  /** Installs what it starts, where that is missing and may be installed. */
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

/** The backend of X displays, and what stands in the way of taking one of them for display 1. */
export interface ChosenBackend extends Pick<Backend, "name" | "inputReason" | "prepare"> {
  /** Opens an X display with `openX11`, and makes it one of the backend. */
  open(openX11: OpenConnection, displayNum: number, xDisplay: string): Promise<Connection>;
  /** Why the session is of a kind that this version cannot serve; asked anew, for a session may come later. */
  refusal(): string | undefined;
}

/** The first backend that fits and is there; X displays that are named are served in every session. */
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
  throw new Error("No backend fits"); // a flag has a value that the table does not know
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
