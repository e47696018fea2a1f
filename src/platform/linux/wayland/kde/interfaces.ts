/** What KWin gives only to programs that a `.desktop` file names. */

/** Wayland interfaces: mouse and keyboard input, and the state of the lock keys. */
export const KDE_WAYLAND_INTERFACES = ["org_kde_kwin_fake_input", "org_kde_kwin_keystate"] as const;

/** D-Bus interfaces: pictures of the screen. */
export const KDE_BUS_INTERFACES = ["org.kde.KWin.ScreenShot2"] as const;

/** What to do where KWin does not give them to this program. */
export const GRANT_ADVICE = 'run "computer-control grant kde", and start the service again';
