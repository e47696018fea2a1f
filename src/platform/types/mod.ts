/** The ports: everything that the service needs from a system. */

import type { Size } from "../../core/geometry.ts";
import type { TcpEnds } from "../tcp_ends.ts";
import type { Browser } from "./browser.ts";
import type { Displays } from "./display.ts";
import type { FileSystem } from "./file_system.ts";
import type { Capability, Readiness } from "./capability.ts";
import type { Processes } from "./processes.ts";

export type * from "./display.ts";
export type * from "./screen.ts";
export type * from "./input.ts";
export type * from "./focus.ts";
export type * from "./delivery_status.ts";
export type * from "./clipboard.ts";
export type * from "./accessibility.ts";
export type * from "./windows.ts";
export type * from "./browser.ts";
export type * from "./file_system.ts";
export type * from "./processes.ts";
export type * from "../../core/geometry.ts";
export type * from "./capability.ts";

// The platform: every port of one system, opened once at start. To port the service to another
// system, start reading here.

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
  readonly keychain: Capability<Keychain>;
  readonly peers: Capability<Peers>;
  readonly processes: Capability<Processes>;
  readonly processTable: Capability<ProcessTable>;
  readonly files: FileSystem;
  /** A browser that is controlled from inside. */
  readonly browser: Capability<Browser>;
  /** The virtual display that this service has started as display 1. */
  readonly virtual?: StartedDisplay | undefined;
  backends(): readonly BackendChoice[];
  /**
   * Opens a desk: a virtual display with buses, a browser and programs of its own. Absent where the
   * system cannot have one.
   * @throws ServiceError `unavailable` when its display does not start
   */
  openDesk?(options: DeskOptions): Promise<DeskPlatform>;
  /** Ends what a service that was killed has left running on a desk, by the folder of that. */
  endDesk?(folder: string): Promise<void>;
}

export interface DeskOptions {
  /** An empty folder for it alone: the home of its programs. */
  readonly folder: string;
  readonly size: Size;
  /** Whether its display is one of Wayland, not of X11. */
  readonly wayland: boolean;
}

/** What a desk has; its end ends its programs, too. */
export interface DeskPlatform extends Platform {
  readonly virtual: StartedDisplay;
  /** How many programs run on it, and the memory that they have for themselves. */
  programs(): Promise<{ readonly count: number; readonly bytes: number }>;
}

interface StartedDisplay {
  /** `:99`, or the path of a Wayland socket. */
  readonly display: string;
  /** Environment variables by which programs find it, its buses and a locale with all characters. */
  readonly variables: Readonly<Record<string, string>>;
  /** The process of its window manager, where there is one. */
  readonly managerPid?: number | undefined;
}

// The port that knows the clients of TCP connections.

export interface Peers {
  /** Whether the client is a browser that a service of this user controls; absent if unknown. */
  isOwnBrowser?(ends: TcpEnds): Promise<boolean>;
  /** Detects it where the HTTP server does not: calls `gone` at most once, when the connection with these ends is no longer open. */
  watch(ends: TcpEnds, gone: () => void): Disposable;
}

// The port that finds and follows running processes, of whatever user.

export interface ProcessTable {
  /**
   * Follows the process that has this id now; `undefined` when none has it, or it has ended.
   * @throws ServiceError `permission_denied`: the system does not let this user follow it.
   */
  follow(pid: number): FollowedProcess | undefined;
  /**
   * The lowest id of a process of this name that runs; `undefined` when none does.
   * @param name the file name of its program; on Windows in any case, with or without `.exe`
   */
  find(name: string): Promise<number | undefined>;
}

interface FollowedProcess extends Disposable {
  /** `false` once it has ended, even if another process has its id by then. */
  isAlive(): boolean;
}

// The port for stored secrets.

/**
 * A store of one secret text per service name. Changes to one name are applied in the order of the
 * calls. No error and no log line contains a secret.
 * @throws ServiceError `unavailable` from every method but `readiness` while the store cannot be
 *   used.
 */
export interface Keychain extends AsyncDisposable {
  /** The secret of a service, or `undefined` when none is stored. */
  read(service: string): Promise<string | undefined>;
  /**
   * Stores a secret and replaces an earlier one. Once this resolves, the secret survives a crash.
   * @throws ServiceError `too_large`: this keychain cannot hold a secret of this size.
   */
  write(service: string, secret: string): Promise<void>;
  /** Removes the secret of a service; does nothing when none is stored. */
  remove(service: string): Promise<void>;
  /** Every stored name, in any order. */
  names(): Promise<string[]>;
  /** Whether the keychain can be used now, with one sentence of explanation. Never throws. */
  readiness(): Promise<Readiness>;
}
