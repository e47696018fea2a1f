/** The atoms of the Extended Window Manager Hints 1.5 and of ICCCM that tell about windows. */

import type { X11Connection } from "../connection.ts";
import { internAtoms } from "../window_queries.ts";

const NAMES = [
  "UTF8_STRING",
  "WM_STATE",
  "WM_CHANGE_STATE",
  "WM_PROTOCOLS",
  "WM_DELETE_WINDOW",
  "_NET_SUPPORTED",
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_CLIENT_LIST",
  "_NET_CLIENT_LIST_STACKING",
  "_NET_ACTIVE_WINDOW",
  "_NET_CLOSE_WINDOW",
  "_NET_MOVERESIZE_WINDOW",
  "_NET_FRAME_EXTENTS",
  "_GTK_FRAME_EXTENTS",
  "_NET_WM_NAME",
  "_NET_WM_PID",
  "_NET_WM_DESKTOP",
  "_NET_WM_WINDOW_TYPE",
  "_NET_WM_WINDOW_TYPE_SPLASH",
  "_NET_WM_STATE",
  "_NET_WM_STATE_MODAL",
  "_NET_WM_STATE_MAXIMIZED_VERT",
  "_NET_WM_STATE_MAXIMIZED_HORZ",
  "_NET_WM_STATE_SHADED",
  "_NET_WM_STATE_HIDDEN",
  "_NET_WM_STATE_FULLSCREEN",
  "_NET_WM_STATE_ABOVE",
  "_NET_WM_STATE_DEMANDS_ATTENTION",
] as const;

export type WindowAtoms = Readonly<Record<typeof NAMES[number], number>>;

/** Atoms that every server has under the same number. */
export const PREDEFINED = { WM_CLASS: 67, WM_NAME: 39, WM_CLIENT_MACHINE: 36 } as const;

export function internWindowAtoms(connection: X11Connection): Promise<WindowAtoms> {
  return internAtoms(connection, NAMES);
}
