/** What a way to see and control a Wayland session is: an entry of the table in `backends.ts`. */

import type { Config } from "../../../config/config.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import type { Port } from "../../types/mod.ts";
import type { LinuxDisplay } from "../displays.ts";
import type { CompositorSocket } from "./session.ts";

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
  fits(host: Host, config: Config): boolean;
  /**
   * Asks the compositor (or the bus) what it offers. Not ready, with half a sentence on what is
   * missing and what would grant it, where the next entry is to be tried.
   * @throws ServiceError `unavailable`: the compositor does not answer now, try again later;
   *   `forbidden`: a person has refused
   */
  open(context: WaylandContext): Promise<Port<WaylandSession>>;
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

export interface WaylandDisplay extends LinuxDisplay {
  /** Set by who opens the display, in the same way for every backend. */
  accessibility: LinuxDisplay["accessibility"];
}
