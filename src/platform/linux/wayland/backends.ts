/** The backends for a Wayland session. */

import type { WaylandBackend } from "./backend.ts";

/** In the order in which they are tried; one after the other, as all at once hold up the main thread. */
export async function loadWaylandBackends(): Promise<readonly WaylandBackend[]> {
  const { WLROOTS } = await import("./wlroots/backend.ts");
  const { KDE } = await import("./kde/backend.ts");
  const { PORTAL } = await import("./portal/backend.ts");
  const { MUTTER } = await import("./mutter/backend.ts");
  return [WLROOTS, KDE, PORTAL, MUTTER];
}
