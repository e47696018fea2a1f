/** The backends for a Wayland session, in the order in which they are tried. */

import type { WaylandBackend } from "./backend.ts";
import { KDE } from "./kde/backend.ts";
import { MUTTER } from "./mutter/backend.ts";
import { PORTAL } from "./portal/backend.ts";
import { WLROOTS } from "./wlroots/backend.ts";

export const WAYLAND_BACKENDS: readonly WaylandBackend[] = [WLROOTS, KDE, PORTAL, MUTTER];
