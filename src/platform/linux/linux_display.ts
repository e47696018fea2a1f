/** Displays of a backend that need no X server: their names, and what a backend with several reports. */

import type { Display } from "../types/mod.ts";

export interface OwnDisplay {
  /** What `GET /api/display/list` calls it; names that start with ":" are those of X displays. */
  readonly name: string;
  /** Environment variables by which commands find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The X display that becomes number 1 if this one cannot be controlled at all. */
  readonly otherwise?: string | undefined;
}

/** The displays of a backend that has several, or that knows only later whether it has any. */
export interface OwnDisplays extends AsyncDisposable {
  /** What is in use, once it is open. */
  readonly backend: string | undefined;
  readonly reason: string;
  /** Why there can be none, if that was the last answer. */
  readonly refusal: string | undefined;
  readonly open: OpenDisplay;
  /** The numbers of the displays that there are now. */
  numbers(): readonly number[];
}

/** The name of a further display of a backend. */
export function ownName({ name }: OwnDisplay, displayNum: number): string {
  return displayNum === 1 ? name : `${name}/${displayNum}`;
}

/** Whether a name is that of a display of the backend, and not that of an X display. */
export function isOwn(own: OwnDisplay | undefined, name: string): boolean {
  return own !== undefined && (name === own.name || name.startsWith(`${own.name}/`));
}

// What a virtual display is: a server that the service starts, and ends when it ends.

export interface VirtualDisplay extends AsyncDisposable {
  /** `:99`, or the path of a Wayland socket; it stays the same across restarts of the server. */
  readonly display: string;
  /** Environment variables by which commands find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the server runs now. */
  readonly running: boolean;
  /** The process of its window manager, where there is one. */
  readonly managerPid?: number | undefined;
  /** How it is opened, unless it is an X display. */
  readonly session?: OwnDisplays;
}

// What a display of Linux is, and how one is opened.

/** An open display that detects when its server goes away. */
export interface LinuxDisplay extends Display, AsyncDisposable {
  readonly connected: boolean;
  /** The name under which it was opened; for an X display that of its server, such as `:1`. */
  readonly name: string;
  /** What {@link Displays.list} says of it, where that is more than its name. */
  readonly output?: OutputInfo;
  /**
   * Calls `listener` once when the connection to the server is lost. Absent where the server itself releases what a
   * client that is gone has pressed.
   */
  onLoss?(listener: (how: Loss) => void): void;
}

interface Loss {
  /** Whether keys or buttons may still be down on the server, should it run on. */
  readonly mayBePressed: boolean;
}

/** @throws XOpenError or ServiceError when the display cannot be opened. */
export type OpenDisplay = (displayNum: number, name: string) => Promise<LinuxDisplay>;

export interface OutputInfo {
  readonly name: string;
  /** Picture pixels per coordinate unit of the desktop. */
  readonly scale: number;
}
