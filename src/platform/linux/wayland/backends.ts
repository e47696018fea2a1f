/** The ways to see and control a Wayland session, in the order in which they are tried. */

import type { WaylandBackend } from "./backend.ts";

export const WAYLAND_BACKENDS: readonly WaylandBackend[] = [];
