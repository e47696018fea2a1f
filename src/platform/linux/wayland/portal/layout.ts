/** The keyboard layout of whatever desktop the portal belongs to. */

import type { MessageBus } from "../../bus/types.ts";
import type { WaylandClient } from "../client.ts";
import type { ActiveLayout } from "../input/active_layout.ts";
import { GnomeLayout } from "../input/gnome_layout.ts";
import { KdeLayout } from "../kde/layout.ts";

/** Plasma tells which layout is active by interfaces of its own. */
export async function openLayout(client: WaylandClient, bus: MessageBus): Promise<ActiveLayout> {
  if (client.globals.find("org_kde_kwin_keystate") === undefined) {
    return await GnomeLayout.open(client, bus);
  }
  return await KdeLayout.open(client, client.bind("wl_seat", 5), bus);
}
