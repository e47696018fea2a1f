/** Says which kind of session this is, and what a Wayland session offers. */

import { note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { withBus } from "../secret_service/bus.ts";
import type { Config } from "../../../config/config.ts";
import { grantRecordPath } from "../wayland/portal/grant_record.ts";
import { findCompositor, isWaylandOnly } from "../wayland/session.ts";
import { installCommand } from "./install.ts";

const PORTAL = "org.freedesktop.portal.Desktop";
const BUS_MS = 2_000;
const NAME_SESSION = "WAYLAND_DISPLAY=<the socket of the session>, or --virtual-display";

/** Whether it is a Wayland session, with an X server for older programs or without one. */
export function isWaylandSession(host: Host): boolean {
  return isWaylandOnly({ ...host, env: { ...host.env, DISPLAY: undefined } });
}

export function checkSession(host: Host): Verdict {
  const { env } = host;
  const desktop = env["XDG_CURRENT_DESKTOP"] ? `, ${env["XDG_CURRENT_DESKTOP"]}` : "";
  if (findCompositor(host) !== undefined) return ok(`Wayland${desktop}`);
  if (isWaylandOnly(host)) {
    return note(`Wayland${desktop}, and WAYLAND_DISPLAY does not say which`, NAME_SESSION);
  }
  if (isWaylandSession(host)) {
    const seen = `only programs on the XWayland server "${env["DISPLAY"]}" are seen`;
    return note(`Wayland${desktop}: ${seen}`, NAME_SESSION);
  }
  if (env["DISPLAY"]) return ok(`X11${desktop}`);
  return ok("none: no DISPLAY, no WAYLAND_DISPLAY (ssh, cron, systemd, a container)");
}

/**
 * The portals through which Wayland sessions let programs see and control the screen, and whether a
 * person has allowed it.
 */
export async function checkPortals(host: Host, { stateDir }: Config): Promise<Verdict> {
  const names = await busNames(host);
  if (names === undefined) return note("no session bus answers", "dbus-run-session <compositor>");
  if (!names.includes(PORTAL)) {
    return note(
      "no xdg-desktop-portal on the session bus",
      installCommand(host, ["xdg-desktop-portal"]),
    );
  }
  if (host.exists(grantRecordPath(stateDir))) return ok("a person has allowed this program");
  return note("nobody has allowed this program yet", "computer-control grant portal");
}

/** Those that run or can be started; `undefined` where no bus answers. */
async function busNames(host: Host): Promise<string[] | undefined> {
  const address = host.env["DBUS_SESSION_BUS_ADDRESS"] ||
    `unix:path=${host.env["XDG_RUNTIME_DIR"] ?? `/run/user/${host.uid}`}/bus`;
  return await withBus({ address, timeoutMs: BUS_MS }, async (call) => {
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
}
