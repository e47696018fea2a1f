/** The ports: everything that the service needs from a system. */

import type { Point, Rgb, Size } from "../../core/geometry.ts";
import type { Capability, Readiness } from "../capability.ts";
import type { TcpEnds } from "../tcp_ends.ts";
import type { Accessibility } from "./accessibility.ts";
import type { Browser } from "./browser.ts";
import type { Clipboard } from "./clipboard.ts";
import type { FileSystem } from "./file_system.ts";
import type { Delivery, DeliveryTracker, Focus } from "./focus.ts";
import type { Input, RealInput } from "./input.ts";
import type { Changes, Screen, ScreenAddress } from "./screen.ts";
import type { Windows } from "./windows.ts";

export type * from "./screen.ts";
export type * from "./input.ts";
export type * from "./focus.ts";
export type * from "./clipboard.ts";
export type * from "./accessibility.ts";
export type * from "./windows.ts";
export type * from "./browser.ts";
export type * from "./file_system.ts";
export type * from "../../core/geometry.ts";
export type { Available, Capability, Readiness } from "../capability.ts";

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

// The port for displays: a screen to read, and the input devices that belong to it.

export interface Displays {
  /**
   * Returns display `displayNum`: synchronously when it is open, otherwise as a promise that opens
   * it.
   * @throws ServiceError `unavailable`: there is no such display now.
   */
  open(displayNum: number): Display | Promise<Display>;
  /** Every display that can be reached now. */
  list(): Promise<DisplayInfo[]>;
  /** Whether display 1 can be used now, with one sentence of explanation. Never throws. */
  readiness(): Promise<Readiness>;
}

export interface DisplayInfo {
  readonly displayNum: number;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Picture pixels per coordinate unit; 1 on X11. */
  readonly scale: number;
  readonly primary: boolean;
}

/** One display: a screen to read, and its input devices. */
export interface Display {
  readonly displayNum: number;
  /** The size now; it follows changes of the resolution. */
  readonly size: Size;
  /**
   * Identifies the run of the display's server: it changes when the server restarts. Absent where a
   * restart cannot be detected.
   */
  readonly serverRun?: string;
  /** Reads one pixel; the point must be on the screen. */
  pixel(at: Point): Promise<Rgb>;
  /** Which window has the keyboard focus. */
  readonly focus: Capability<Focus>;
  /** When clicks have been delivered. */
  readonly delivery: Capability<Delivery>;
  /** Which programs get the input. */
  readonly deliveryTracker: Capability<DeliveryTracker>;
  /**
   * How the screen is read: an address that any thread can open, or a screen that belongs to this
   * thread.
   */
  readonly screen: ScreenAddress | Screen;
  /**
   * Starts to follow changes on the display; later calls return the same object.
   * @throws ServiceError `unsupported`: this display does not report changes.
   */
  watch(): Promise<Changes>;
  readonly input: Capability<Input>;
  /** When somebody uses the mouse and the keyboard that belong to it. */
  readonly realInput: Capability<RealInput>;
  /** What programs copy and paste by; displays of one desktop share it. */
  readonly clipboard: Capability<Clipboard>;
  /** What programs on it report to assistive technology. */
  readonly accessibility: Capability<Accessibility>;
  /** The variables by which programs open their windows on it; absent where it needs none. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly windows: Capability<Windows>;
  /**
   * What programs count the places of their elements from, where that is not the display: on Wayland
   * none knows where its windows are.
   */
  readonly origin?: "window";
}

// The ports for running commands.

/** Starts commands in a shell, each in a process group of its own. */
export interface Processes extends AsyncDisposable {
  /** The folder in which commands start, also written `~`. */
  readonly home: string;
  /** The program, with its first arguments, that opens a file or a URL as a double click does. */
  readonly opener: readonly string[];
  /**
   * Starts a command.
   * @throws ServiceError `not_found`, `not_a_directory` or `permission_denied` for the folder;
   *   `too_large` when command and environment together exceed the system's limit; `unavailable`
   *   when the system starts no more processes.
   */
  start(line: CommandLine): Command;
}

export interface CommandLine {
  readonly command: string;
  /** A program and its arguments, which run as they are, without a shell: `command` then only describes them. */
  readonly program?: readonly string[];
  /** An absolute path; the home folder when absent. */
  readonly cwd?: string;
  /**
   * Added to the environment of the service, which the command inherits without the service's
   * secrets.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command gets an input stream; otherwise its input is empty. */
  readonly input: boolean;
}

/** A started command: its shell, and the process group of everything that the shell started. */
export interface Command {
  /** The id of the shell and of its process group. */
  readonly pid: number;
  /** Resolves with the exit code of the shell; 128 + n when signal n ended it. */
  readonly ended: Promise<number>;
  readonly input: CommandInput | undefined;
  /**
   * The next bytes of standard output and standard error, in the order in which they were written;
   * `undefined` at the end. The bytes are valid until the next call.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Whether the shell or any process of its group is alive. */
  isAlive(): Promise<boolean>;
  /** Whether a process that runs now is one of its group. */
  holds(pid: number): Promise<boolean>;
  /** Resolves when no process of the group is alive. */
  gone(): Promise<void>;
  /**
   * Signals every process of the group, and no other.
   * @throws ServiceError `permission_denied`: the group belongs to another user.
   */
  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /**
   * Closes the input and output of the command. A program that left the group gets a broken pipe.
   */
  close(): Promise<void>;
}

export interface CommandInput {
  /** Resolves when the command has accepted the bytes; rejects when it no longer reads. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}
