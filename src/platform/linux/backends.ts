/**
 * The backends that see and control displays on Linux: one table, in the order in which they are
 * tried.
 */

import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Host } from "../host.ts";
import { missing } from "../open_port.ts";
import type { Port } from "../types/mod.ts";
import type { OpenDisplay } from "./displays.ts";
import { installPackages } from "./packages.ts";
import { findPackages } from "./programs.ts";
import { isWaylandOnly, WAYLAND_ONLY } from "./wayland/session.ts";
import { withXdotool } from "./xdotool/driver.ts";

/** What a backend opens its displays with. */
export interface BackendContext {
  readonly host: Host;
  readonly config: Config;
  readonly log: Log;
  /** Opens an X display with the built-in driver. */
  readonly openX11: OpenDisplay;
}

export interface Backend {
  /** As `--backend` and `GET /api/system/info` name it. */
  readonly name: string;
  /** Whether it suits this session and these flags. */
  fits(host: Host, config: Config): boolean;
  /**
   * The display of the backend, which needs no X server and becomes number 1, unless `--display` or
   * `--virtual-display` says what number 1 is. Without it the backend serves X displays.
   */
  ownDisplay?(host: Host, config: Config): OwnDisplay;
  /**
   * Opens the display of the backend, or X displays if it has none; not ready where this version has
   * no driver.
   */
  readonly display: Port<(context: BackendContext) => OpenDisplay>;
  /** Why it is in use: half a sentence. */
  reason(config: Config): string;
  /** Installs the program that it starts, when that is missing and installing is allowed. */
  prepare?(context: BackendContext): Promise<void>;
}

export interface OwnDisplay {
  /** What `GET /api/display/list` calls it; names that start with ":" are those of X displays. */
  readonly name: string;
  /** Environment variables by which commands find it. */
  readonly variables: Readonly<Record<string, string>>;
}

export const BACKENDS: readonly Backend[] = [
  {
    name: "wayland",
    fits: (host) => isWaylandOnly(host),
    display: missing(WAYLAND_ONLY),
    reason: () => WAYLAND_ONLY,
  },
  {
    name: "x11",
    fits: (_host, { backend }) => backend !== "xdotool",
    display: { ready: true, use: ({ openX11 }) => openX11 },
    reason: ({ backend }) =>
      backend === "x11"
        ? AS_ASKED
        : "built in; xdotool is slower and only used with --backend xdotool",
  },
  {
    name: "xdotool",
    fits: (_host, { backend }) => backend === "xdotool",
    display: {
      ready: true,
      use: ({ openX11 }) => async (displayNum, xDisplay) =>
        withXdotool(await openX11(displayNum, xDisplay), xDisplay),
    },
    reason: () => AS_ASKED,
    prepare: installXdotool,
  },
];

const AS_ASKED = "as --backend asks";

export interface ChosenBackend {
  readonly name: string;
  readonly reason: string;
  readonly ownDisplay: OwnDisplay | undefined;
  /** Opens the backend's own display, or an X display. */
  readonly open: OpenDisplay;
  prepare(): Promise<void>;
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
export function chooseBackend(
  context: BackendContext,
  backends: readonly Backend[] = BACKENDS,
): ChosenBackend {
  const { host, config, openX11 } = context;
  const isXFirst = config.displays.has(1) || config.virtualDisplay !== undefined;
  const fitting = () =>
    backends.filter((each) => each.fits(host, config) && !(isXFirst && each.ownDisplay));
  for (const backend of fitting()) {
    const { display } = backend;
    if (!display.ready) continue;
    const ownDisplay = backend.ownDisplay?.(host, config);
    const open = display.use(context);
    return {
      name: backend.name,
      reason: backend.reason(config),
      ownDisplay,
      open: (displayNum, name) =>
        ownDisplay === undefined || ownDisplay.name === name
          ? open(displayNum, name)
          : openX11(displayNum, name),
      prepare: async () => await backend.prepare?.(context),
      refusal: () => {
        const first = fitting()[0];
        return first?.display.ready === false ? first.display.reason : undefined;
      },
    };
  }
  throw new Error("No backend fits"); // a flag has a value that is missing from the table
}

async function installXdotool({ host, config, log }: BackendContext): Promise<void> {
  if (host.which("xdotool") !== undefined) return;
  const setup = await installPackages(host, findPackages("xdotool"), {
    purpose: "for --backend xdotool",
    allowed: config.setup,
  });
  if (!setup.installed) log.warn("xdotool is not installed", { advice: setup.reason });
}
