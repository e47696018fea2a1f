/**
 * The platform: every port of one system, opened once at start. To port the service to another
 * system, start reading here.
 */

import type { Browser } from "./browser_jobs.ts";
import type { Displays } from "./display.ts";
import type { FileSystem } from "./file_system.ts";
import type { Keychain } from "./keychain.ts";
import type { Peers } from "./peers.ts";
import type { Port } from "./port.ts";
import type { Processes } from "./processes.ts";
import type { ProcessTable } from "./process_table.ts";

export type System = "linux" | "macos" | "windows";

/**
 * The backend chosen for one job, and why the others were not: for the log and `GET
 * /api/system/info`.
 */
export interface BackendChoice {
  readonly job: "display" | "input" | "keychain";
  /** The backend in use, or `null` when there is none. */
  readonly chosen: string | null;
  /** One sentence that explains the choice. */
  readonly reason: string;
}

export interface Platform extends AsyncDisposable {
  readonly system: System;
  readonly displays: Displays;
  readonly keychain: Port<Keychain>;
  readonly peers: Port<Peers>;
  readonly processes: Port<Processes>;
  readonly processTable: Port<ProcessTable>;
  readonly files: FileSystem;
  /** A browser that is controlled from inside. */
  readonly browser: Port<Browser>;
  /** The virtual display that this service has started as display 1. */
  readonly virtual?: StartedDisplay | undefined;
  backends(): readonly BackendChoice[];
}

export interface StartedDisplay {
  /** `:99`, or the path of a Wayland socket. */
  readonly display: string;
  /** Environment variables by which programs find it, its buses and a locale with all characters. */
  readonly variables: Readonly<Record<string, string>>;
}
