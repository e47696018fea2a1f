/** The stream to an X server of this computer, for the x11 package, which otherwise opens one by `node:net`. */

import x11 from "x11";
import { UnixStream } from "../unix_stream.ts";

/** Options of the package's `createClient`. */
export interface LocalStream {
  readonly stream: UnixStream;
  /** Not said: the package looks the cookie up, as it does for a stream of its own. */
  readonly auth: undefined;
}

/**
 * Connects to the local socket of a display (`:1`, `unix:1`). Gives nothing for one that is on another
 * computer, or that has no socket and may answer on its TCP port only: the package sees to those.
 */
export function connectLocally(display: string): LocalStream | Record<never, never> {
  const path = localSocketPath(display);
  return path === undefined ? {} : { stream: new UnixStream(path), auth: undefined };
}

/** The local socket of a display, where it has one. */
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
