/**
 * Opens the stream to a local X server for the x11 package, which would otherwise use `node:net`.
 */

import x11 from "x11";
import { UnixStream } from "../unix_stream.ts";

/** Options of the package's `createClient`. */
export interface LocalStream {
  readonly stream: UnixStream;
  /** Left undefined, so that the package looks the cookie up, as it does for its own streams. */
  readonly auth: undefined;
}

/**
 * Connects to the local socket of a display (`:1`, `unix:1`). Returns an empty object for a display
 * on another computer, or one without a local socket, which possibly answers on its TCP port: the
 * package handles those.
 */
export function connectLocally(display: string): LocalStream | Record<never, never> {
  const path = localSocketPath(display);
  return path === undefined ? {} : { stream: new UnixStream(path), auth: undefined };
}

/** The path of the local socket of a display, or `undefined` when it has none. */
export function localSocketPath(display: string): string | undefined {
  const { protocol, host, displayNum } = x11.parseDisplay(display);
  if (host || !["", "unix", "local"].includes(protocol)) return undefined;
  const path = `/tmp/.X11-unix/X${displayNum}`;
  return exists(path) ? path : undefined;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
