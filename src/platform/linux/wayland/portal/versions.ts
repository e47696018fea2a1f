/**
 * The portals that are used: which of them a desktop has, and what they can.
 * https://flatpak.github.io/xdg-desktop-portal/docs/api-reference.html
 */

import { ServiceError } from "../../../../core/errors.ts";
import { BusError, type MessageBus, readProperty } from "../../bus/types.ts";

export const PORTAL = {
  destination: "org.freedesktop.portal.Desktop",
  path: "/org/freedesktop/portal/desktop",
} as const;

export const REMOTE_DESKTOP = "org.freedesktop.portal.RemoteDesktop";
export const SCREEN_CAST = "org.freedesktop.portal.ScreenCast";
export const CLIPBOARD = "org.freedesktop.portal.Clipboard";

/** The first version of RemoteDesktop whose permission can be kept. */
const REMOTE_DESKTOP_WITH_TOKEN = 2;
/** The first version of ScreenCast whose permission can be kept. */
const SCREEN_CAST_WITH_TOKEN = 4;

/** The version of each portal; 0 where it is missing. */
export interface PortalVersions {
  readonly remoteDesktop: number;
  readonly screenCast: number;
  readonly clipboard: number;
}

/** Asking starts the portal, which starts the backend of the desktop. */
const START_TIMEOUT_MS = 15_000;

/** @throws ServiceError `unavailable`: there is no portal; `timed_out`: it does not start. */
export async function readVersions(bus: MessageBus): Promise<PortalVersions> {
  const remoteDesktop = await readVersion(bus, REMOTE_DESKTOP);
  const [screenCast, clipboard] = await Promise.all([
    readVersion(bus, SCREEN_CAST),
    readVersion(bus, CLIPBOARD),
  ]);
  return { remoteDesktop, screenCast, clipboard };
}

/** Whether the permission for mouse, keyboard and pictures can be kept. */
export function keepsControl({ remoteDesktop }: PortalVersions): boolean {
  return remoteDesktop >= REMOTE_DESKTOP_WITH_TOKEN;
}

/** Whether the permission for pictures can be kept. */
export function keepsPictures({ screenCast }: PortalVersions): boolean {
  return screenCast >= SCREEN_CAST_WITH_TOKEN;
}

async function readVersion(bus: MessageBus, portal: string): Promise<number> {
  try {
    return await readNumber(bus, portal, { property: "version", timeoutMs: START_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    if (error.isServiceMissing) throw portalMissing(error);
    return 0;
  }
}

export async function readNumber(
  bus: MessageBus,
  portal: string,
  { property, ...limits }: { readonly property: string; readonly timeoutMs?: number },
): Promise<number> {
  return Number(await readProperty(bus, { ...PORTAL, interface: portal }, property, limits));
}

export function portalMissing(cause: unknown): ServiceError {
  const message =
    "This session has no desktop portal: install xdg-desktop-portal and the backend " +
    "of the desktop (xdg-desktop-portal-gnome, xdg-desktop-portal-kde), and log in again";
  return new ServiceError("unavailable", message, { cause });
}
