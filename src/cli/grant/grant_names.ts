/** What `computer-control grant` can ask a desktop for. */

export const GRANTS = {
  kde: "KDE Plasma: write the file that lets KWin's screenshots and input be used",
  portal: "desktops with portals: ask the person once, and keep the permission",
} as const;

export type GrantName = keyof typeof GRANTS;
