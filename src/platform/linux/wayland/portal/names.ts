/**
 * Names and numbers of the desktop portals that are used.
 * https://flatpak.github.io/xdg-desktop-portal/docs/api-reference.html
 */

export const PORTAL = {
  destination: "org.freedesktop.portal.Desktop",
  path: "/org/freedesktop/portal/desktop",
} as const;

export const REMOTE_DESKTOP = "org.freedesktop.portal.RemoteDesktop";
export const SCREEN_CAST = "org.freedesktop.portal.ScreenCast";
export const CLIPBOARD = "org.freedesktop.portal.Clipboard";
export const REQUEST = "org.freedesktop.portal.Request";
export const SESSION = "org.freedesktop.portal.Session";

/** The first version of RemoteDesktop whose permission can be kept. */
export const REMOTE_DESKTOP_WITH_TOKEN = 2;
/** The first version of ScreenCast whose permission can be kept. */
export const SCREEN_CAST_WITH_TOKEN = 4;

export const KEYBOARD = 1;
export const POINTER = 2;
/** The source type of a whole monitor. */
export const MONITOR = 1;
/** The cursor is drawn into the picture, or is told beside it, or neither. */
export const CURSOR_MODE = { hidden: 1, embedded: 2, metadata: 4 } as const;
/** The permission lasts until the person takes it back. */
export const UNTIL_REVOKED = 2;
