/** Says which kind of session this is, and what a Wayland session offers. */

import { note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { withBus } from "../secret_service/bus.ts";
import { isWaylandOnly } from "../wayland/session.ts";
import { installCommand } from "./install.ts";

const PORTAL = "org.freedesktop.portal.Desktop";
const BUS_MS = 2_000;
const OTHER_SESSION = 'log in to an X11 session ("on Xorg"), or --virtual-display';

/** Whether it is a Wayland session, with an X server for older programs or without one. */
export function isWaylandSession(host: Host): boolean {
  return isWaylandOnly({ ...host, env: { ...host.env, DISPLAY: undefined } });
}

export function checkSession(host: Host): Verdict {
  const { env } = host;
  const desktop = env["XDG_CURRENT_DESKTOP"] ? `, ${env["XDG_CURRENT_DESKTOP"]}` : "";
  if (isWaylandOnly(host)) {
    return note(`Wayland${desktop}, and DISPLAY names no XWayland server`, OTHER_SESSION);
  }
  if (isWaylandSession(host)) {
    const seen = `only programs on the XWayland server "${env["DISPLAY"]}" are seen`;
    return note(`Wayland${desktop}: ${seen}`, OTHER_SESSION);
  }
  if (env["DISPLAY"]) return ok(`X11${desktop}`);
  return ok("none: no DISPLAY, no WAYLAND_DISPLAY (ssh, cron, systemd, a container)");
}

/** The portals through which Wayland sessions let programs see and control the screen. */
export async function checkPortals(host: Host): Promise<Verdict> {
  const address = host.env["DBUS_SESSION_BUS_ADDRESS"] ||
    `unix:path=${host.env["XDG_RUNTIME_DIR"] ?? `/run/user/${host.uid}`}/bus`;
  const names = await withBus({ address, timeoutMs: BUS_MS }, async (call) => {
    const lists = await Promise.all(["ListNames", "ListActivatableNames"].map((member) =>
      call({
        destination: "org.freedesktop.DBus",
        path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus",
        member,
        signature: "",
        body: [],
      })
    ));
    return lists.flatMap(([list]) => list as string[]);
  }).catch(() => undefined);
  if (names === undefined) return note("no session bus answers", "dbus-run-session <compositor>");
  if (names.includes(PORTAL)) {
    return note("there are portals, which this version does not use", "--virtual-display");
  }
  return note(
    "no xdg-desktop-portal on the session bus",
    installCommand(host, ["xdg-desktop-portal"]),
  );
}
