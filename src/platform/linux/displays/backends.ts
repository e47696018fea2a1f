/**
 * The backends that see and control displays on Linux: one table, in the order in which they are
 * tried.
 */

import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import { missing } from "../../capability.ts";
import type { Capability } from "../../types/mod.ts";
import { isOwn, type OpenDisplay, type OwnDisplay, type OwnDisplays } from "../linux_display.ts";
import { findPackages, installPackages } from "../setup/programs.ts";
import {
  ChosenSession,
  findCompositor,
  isWaylandOnly,
  WAYLAND_UNNAMED,
  type WaylandBackend,
} from "../wayland/backend.ts";
import { withXdotool } from "../xdotool/driver.ts";

/** What a backend opens its displays with. */
interface BackendContext {
  readonly host: Host;
  readonly config: Config;
  readonly log: Log;
  /** Opens an X display with the built-in driver. */
  readonly openX11: OpenDisplay;
  /** How Wayland sessions are controlled; every way when absent. */
  readonly waylandBackends?: readonly WaylandBackend[] | undefined;
}

export interface Backend {
  /** As `--backend` and `GET /api/system/info` name it. */
  readonly name: string;
  /** Whether it suits this session and these flags. */
  matches(host: Host, config: Config): boolean;
  /**
   * The display of the backend, which needs no X server and becomes number 1, unless `--display` or
   * `--virtual-display` says what number 1 is. Without it the backend serves X displays.
   */
  ownDisplay?(host: Host, config: Config): OwnDisplay;
  /**
   * Opens the display of the backend, or X displays if it has none; not ready where this version has
   * no driver.
   */
  readonly display: Capability<(context: BackendContext) => OpenDisplay | OwnDisplays>;
  /** Why it is in use: half a sentence. */
  reason(config: Config): string;
  /** Installs the program that it starts, when that is missing and installing is allowed. */
  prepare?(context: BackendContext): Promise<void>;
}

export const BACKENDS: readonly Backend[] = [
  {
    name: "wayland",
    matches: (host, { backend }) => backend === "auto" && findCompositor(host) !== undefined,
    ownDisplay(host) {
      const { name } = findCompositor(host)!;
      return { name, variables: { WAYLAND_DISPLAY: name }, otherwise: host.env["DISPLAY"] };
    },
    display: { ready: true, use: openWaylandDisplays },
    reason: () => "WAYLAND_DISPLAY names it",
  },
  {
    name: "wayland without a name",
    matches: (host) => isWaylandOnly(host),
    display: missing(WAYLAND_UNNAMED),
    reason: () => WAYLAND_UNNAMED,
  },
  {
    name: "x11",
    matches: (_host, { backend }) => backend !== "xdotool",
    display: { ready: true, use: ({ openX11 }) => openX11 },
    reason: ({ backend }) =>
      backend === "x11"
        ? AS_ASKED
        : "built in; xdotool is slower and only used with --backend xdotool",
  },
  {
    name: "xdotool",
    matches: (_host, { backend }) => backend === "xdotool",
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

export interface ChosenBackend extends AsyncDisposable {
  readonly name: string;
  readonly reason: string;
  readonly ownDisplay: OwnDisplay | undefined;
  /** The displays of a backend that can have several. */
  readonly ownDisplays: OwnDisplays | undefined;
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
  const { host, config } = context;
  const isXFirst = config.displays.has(1) || config.virtualDisplay !== undefined;
  const fitting = () =>
    backends.filter((each) => each.matches(host, config) && !(isXFirst && each.ownDisplay));
  const first = () => fitting()[0]?.display;
  const refusal = () => {
    const display = first();
    return display?.ready === false ? display.reason : undefined;
  };
  for (const backend of fitting()) {
    if (backend.display.ready) return open(backend, backend.display.use, { context, refusal });
  }
  throw new Error("No backend fits"); // a flag has a value that is missing from the table
}

function open(
  backend: Backend,
  use: (context: BackendContext) => OpenDisplay | OwnDisplays,
  { context, refusal }: { context: BackendContext; refusal: () => string | undefined },
): ChosenBackend {
  const { host, config, openX11 } = context;
  const ownDisplay = backend.ownDisplay?.(host, config);
  const opened = use(context);
  const ownDisplays = "open" in opened ? opened : undefined;
  const openOwn = "open" in opened ? opened.open : opened;
  return {
    get name() {
      return ownDisplays?.backend ?? backend.name;
    },
    get reason() {
      return ownDisplays?.reason || backend.reason(config);
    },
    ownDisplay,
    ownDisplays,
    open: (displayNum, name) =>
      ownDisplay === undefined || isOwn(ownDisplay, name)
        ? openOwn(displayNum, name)
        : openX11(displayNum, name),
    prepare: async () => await backend.prepare?.(context),
    refusal: () => ownDisplays?.refusal ?? refusal(),
    [Symbol.asyncDispose]: async () => await ownDisplays?.[Symbol.asyncDispose](),
  };
}

function openWaylandDisplays({ host, config, log, waylandBackends }: BackendContext): OwnDisplays {
  const compositor = findCompositor(host)!;
  return new ChosenSession(
    { host, config, log, compositor },
    async () =>
      waylandBackends ?? await (await import("../wayland/backends.ts")).loadWaylandBackends(),
  );
}

async function installXdotool({ host, config, log }: BackendContext): Promise<void> {
  if (host.which("xdotool") !== undefined) return;
  const setup = await installPackages(host, findPackages("xdotool"), {
    purpose: "for --backend xdotool",
    allowed: config.setup,
  });
  if (!setup.installed) log.warn("xdotool is not installed", { advice: setup.reason });
}
