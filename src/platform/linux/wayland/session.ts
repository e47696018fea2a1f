/** Whether this is a Wayland session, which can only be controlled through its XWayland server. */

import type { Host } from "../../host.ts";

export const WAYLAND_ONLY =
  "This is a Wayland session without an X server, which this version cannot see or control: " +
  "start the service with DISPLAY set to its XWayland server (it sees X programs only), " +
  "log in to an X11 session, or use --virtual-display";

/** Numbers that compositors give their sockets: the first that is free. */
const SOCKETS = [0, 1, 2, 3];

/** A session without an X display that somebody named. */
export function isWaylandOnly(host: Host): boolean {
  return !host.env["DISPLAY"] && isWayland(host);
}

/**
 * By what a session tells its programs; and by the compositor's socket, for a service that was started
 * outside of the session (by ssh, by systemd).
 */
function isWayland({ env, uid, exists }: Host): boolean {
  if (env["WAYLAND_DISPLAY"] || env["WAYLAND_SOCKET"]) return true;
  if (env["XDG_SESSION_TYPE"] === "wayland") return true;
  const runtime = env["XDG_RUNTIME_DIR"] || (uid === null ? "" : `/run/user/${uid}`);
  return runtime !== "" && SOCKETS.some((number) => exists(`${runtime}/wayland-${number}`));
}
