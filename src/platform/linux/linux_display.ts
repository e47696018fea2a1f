/** What a display of Linux is, and how one is opened. */

import type { Display } from "../types/mod.ts";

/** An open display that detects when its server goes away. */
export interface LinuxDisplay extends Display, AsyncDisposable {
  readonly connected: boolean;
  /** The name under which it was opened; for an X display that of its server, such as `:1`. */
  readonly name: string;
  /** What {@link Displays.list} says of it, where that is more than its name. */
  readonly output?: OutputInfo;
}

/** @throws XOpenError or ServiceError when the display cannot be opened. */
export type OpenDisplay = (displayNum: number, name: string) => Promise<LinuxDisplay>;

export interface OutputInfo {
  readonly name: string;
  /** Picture pixels per coordinate unit of the desktop. */
  readonly scale: number;
}
