/** Detects a Wayland session, which can be controlled only through its XWayland server. */

import type { Host } from "../../host.ts";

export const WAYLAND_ONLY =
  "This is a Wayland session without an X server, which this version cannot see or control: " +
  "start the service with DISPLAY set to its XWayland server (it sees X programs only), " +
  "log in to an X11 session, or use --virtual-display";

/** The socket numbers to check; a compositor takes the first free one. */
const SOCKETS = [0, 1, 2, 3];

/** Whether this is a Wayland session in which no X display was named. */
export function isWaylandOnly(host: Host): boolean {
  return !host.env["DISPLAY"] && isWayland(host);
}

/**
 * Reads the environment variables of a session; for a service that was started outside of the
 * session (by ssh, by systemd), looks for the compositor's socket.
 */
function isWayland({ env, uid, exists }: Host): boolean {
  if (env["WAYLAND_DISPLAY"] || env["WAYLAND_SOCKET"]) return true;
  if (env["XDG_SESSION_TYPE"] === "wayland") return true;
  const runtime = env["XDG_RUNTIME_DIR"] || (uid === null ? "" : `/run/user/${uid}`);
  return runtime !== "" && SOCKETS.some((number) => exists(`${runtime}/wayland-${number}`));
}
