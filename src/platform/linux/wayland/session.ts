/** Detects a Wayland session, and finds the socket of its compositor. */

import type { Host } from "../../host.ts";

export const WAYLAND_UNNAMED =
  "This is a Wayland session, and WAYLAND_DISPLAY does not say which compositor is meant: " +
  "start the service with WAYLAND_DISPLAY set, with DISPLAY set to the XWayland server of the " +
  "session (it sees X programs only), or use --virtual-display";

/** The socket numbers to check; a compositor takes the first free one. */
const SOCKETS = [0, 1, 2, 3];

export interface CompositorSocket {
  /** As `WAYLAND_DISPLAY` names it. */
  readonly name: string;
  readonly path: string;
}

/**
 * The compositor that `WAYLAND_DISPLAY` names, whether or not it runs; none is guessed, because it
 * could be that of another session.
 */
export function findCompositor(host: Host): CompositorSocket | undefined {
  const name = host.env["WAYLAND_DISPLAY"];
  if (!name) return undefined;
  if (name.startsWith("/")) return { name, path: name };
  const runtime = runtimeFolder(host);
  return runtime === undefined ? undefined : { name, path: `${runtime}/${name}` };
}

/** Whether this is a Wayland session in which no X display was named. */
export function isWaylandOnly(host: Host): boolean {
  return !host.env["DISPLAY"] && isWayland(host);
}

/**
 * Reads the environment variables of a session; for a service that was started outside of the
 * session (by ssh, by systemd), looks for the compositor's socket.
 */
function isWayland(host: Host): boolean {
  const { env, exists } = host;
  if (env["WAYLAND_DISPLAY"] || env["WAYLAND_SOCKET"]) return true;
  if (env["XDG_SESSION_TYPE"] === "wayland") return true;
  const runtime = runtimeFolder(host);
  return runtime !== undefined && SOCKETS.some((number) => exists(`${runtime}/wayland-${number}`));
}

function runtimeFolder({ env, uid }: Host): string | undefined {
  return env["XDG_RUNTIME_DIR"] || (uid === null ? undefined : `/run/user/${uid}`);
}
