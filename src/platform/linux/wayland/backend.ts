/** A backend that sees and controls a Wayland session: an entry of the table in `backends.ts`. */

import type { Config } from "../../../config/config.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import { available } from "../../capability.ts";
import type { Capability } from "../../types/mod.ts";
import { AtspiAccessibility } from "../atspi/accessibility.ts";
import { findSessionAccessibilityBus } from "../atspi/find_bus.ts";
import type { LinuxDisplay, OwnDisplays } from "../linux_display.ts";
import type { WaylandDisplay } from "./display.ts";

export interface WaylandContext {
  readonly host: Host;
  readonly config: Config;
  readonly log: Log;
  /** The compositor that `WAYLAND_DISPLAY` names. */
  readonly compositor: CompositorSocket;
}

export interface WaylandBackend {
  /** As `GET /api/system/info` names it. */
  readonly name: "wlroots" | "kde" | "portal" | "mutter";
  /** Whether the flags and the environment allow it; asks nobody. */
  matches(host: Host, config: Config): boolean;
  /**
   * Asks the compositor (or the bus) what it offers. Not ready, with half a sentence on what is
   * missing and what would grant it, where the next entry is to be tried.
   * @throws ServiceError `unavailable`: the compositor does not answer now, try again later;
   *   `forbidden`: a person has refused
   */
  open(context: WaylandContext): Promise<Capability<WaylandSession>>;
  /** Why it is in use: half a sentence. */
  readonly reason: string;
}

/** An open connection to a session, whose outputs are displays. */
export interface WaylandSession extends AsyncDisposable {
  /** `false` once the compositor has gone: the session must be opened again. */
  readonly connected: boolean;
  /** The numbers of the outputs that there are now. */
  numbers(): readonly number[];
  /**
   * Opens the display of an output.
   * @param name of the display, which it must carry
   * @throws ServiceError `unavailable`: there is no such output now
   */
  openDisplay(displayNum: number, name: string): Promise<WaylandDisplay>;
}

// The session of the compositor that `WAYLAND_DISPLAY` names: chooses the backend when it is first
// opened, because only the compositor knows what it offers, and opens it again after a restart.

export class ChosenSession implements OwnDisplays {
  #backend: WaylandBackend | undefined;
  #session: WaylandSession | undefined;
  #opening: Promise<WaylandSession> | undefined;
  #refusal: string | undefined;
  readonly #accessibilities: AtspiAccessibility[] = [];

  constructor(
    private readonly context: WaylandContext,
    /** Asked for when the session is first opened: nobody else needs the modules of the backends. */
    private readonly backends: () => Promise<readonly WaylandBackend[]>,
  ) {}

  get backend(): string | undefined {
    return this.#backend?.name;
  }

  get reason(): string {
    return this.#backend?.reason ?? "";
  }

  get refusal(): string | undefined {
    return this.#refusal;
  }

  numbers(): readonly number[] {
    return this.#session?.connected ? this.#session.numbers() : [];
  }

  /**
   * @throws ServiceError `unsupported`: no backend can control the compositor; `unavailable`: it
   *   does not answer, or has no such output
   */
  readonly open = async (displayNum: number, name: string): Promise<LinuxDisplay> => {
    const session = this.#session?.connected ? this.#session : await this.#openSession();
    const display = await session.openDisplay(displayNum, name);
    const accessibility = new AtspiAccessibility({
      findBus: () => findSessionAccessibilityBus(this.context.host),
      origin: display.origin ?? "display",
      windows: () => display.windows,
    });
    this.#accessibilities.push(accessibility);
    display.accessibility = available(accessibility);
    return display;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const session = await this.#opening?.catch(() => undefined) ?? this.#session;
    for (const each of this.#accessibilities) each[Symbol.dispose]();
    await session?.[Symbol.asyncDispose]();
  }

  #openSession(): Promise<WaylandSession> {
    return this.#opening ??= this.#openAgain().finally(() => this.#opening = undefined);
  }

  async #openAgain(): Promise<WaylandSession> {
    const lost = this.#session;
    this.#session = undefined;
    await lost?.[Symbol.asyncDispose]();
    return this.#session = await this.#choose();
  }

  /** The first backend that is ready, at each opening: after an update it can be another one. */
  async #choose(): Promise<WaylandSession> {
    const { host, config, log, compositor } = this.context;
    const reasons: string[] = [];
    for (const backend of await this.backends()) {
      if (!isSelected(backend, config) || !backend.matches(host, config)) continue;
      const session = await backend.open(this.context);
      if (session.ready) {
        if (this.#backend !== backend) log.info("wayland session opened", { by: backend.name });
        this.#backend = backend;
        this.#refusal = undefined;
        return session.use;
      }
      reasons.push(`${backend.name}: ${session.reason}`);
    }
    this.#refusal = `Cannot control the Wayland compositor at "${compositor.name}": ` +
      `${reasons.join("; ")}; --virtual-display works regardless`;
    throw new ServiceError("unsupported", this.#refusal);
  }
}

/** Whether `--wayland-backend` names it, or none. */
function isSelected({ name }: WaylandBackend, { waylandBackend }: Config): boolean {
  return waylandBackend === "auto" || waylandBackend === name;
}

// Detects a Wayland session, and finds the socket of its compositor.

export const WAYLAND_UNNAMED =
  "This is a Wayland session, and WAYLAND_DISPLAY, which names its compositor, is not set: " +
  "start the service with WAYLAND_DISPLAY set, with DISPLAY set to the XWayland server of the " +
  "session (which only has X programs), or use --virtual-display";

/** The socket numbers to check; a compositor takes the first free one. */
const SOCKETS = [0, 1, 2, 3];

export interface CompositorSocket {
  /** As `WAYLAND_DISPLAY` names it. */
  readonly name: string;
  readonly path: string;
}

/**
 * The compositor that `WAYLAND_DISPLAY` names, whether or not it runs; none is guessed, because it
 * could be that of another session.
 */
export function findCompositor(host: Host): CompositorSocket | undefined {
  const name = host.env["WAYLAND_DISPLAY"];
  if (!name) return undefined;
  if (name.startsWith("/")) return { name, path: name };
  const runtime = runtimeFolder(host);
  return runtime === undefined ? undefined : { name, path: `${runtime}/${name}` };
}

/** Whether this is a Wayland session in which no X display was named. */
export function isWaylandOnly(host: Host): boolean {
  return !host.env["DISPLAY"] && isWayland(host);
}

/**
 * Reads the environment variables of a session; for a service that was started outside of the
 * session (by ssh, by systemd), looks for the compositor's socket.
 */
function isWayland(host: Host): boolean {
  const { env, exists } = host;
  if (env["WAYLAND_DISPLAY"] || env["WAYLAND_SOCKET"]) return true;
  if (env["XDG_SESSION_TYPE"] === "wayland") return true;
  const runtime = runtimeFolder(host);
  return runtime !== undefined && SOCKETS.some((number) => exists(`${runtime}/wayland-${number}`));
}

function runtimeFolder({ env, uid }: Host): string | undefined {
  return env["XDG_RUNTIME_DIR"] || (uid === null ? undefined : `/run/user/${uid}`);
}
