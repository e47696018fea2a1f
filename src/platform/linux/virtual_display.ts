/** What a virtual display is: a server that the service starts, and ends when it ends. */

import type { OwnDisplays } from "./own_displays.ts";

export interface VirtualDisplay extends AsyncDisposable {
  /** `:99`, or the path of a Wayland socket; it stays the same across restarts of the server. */
  readonly display: string;
  /** Environment variables by which commands find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the server runs now. */
  readonly running: boolean;
  /** How it is opened, unless it is an X display. */
  readonly session?: OwnDisplays;
}
