/** Checks whether programs of the display can tell what they show. */

import { note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { AtspiClient } from "../atspi/client.ts";
import { findSessionAccessibilityBus, isSwitchedOn } from "../atspi/find_bus.ts";
import { findLauncher } from "../atspi/own_buses.ts";
import { installCommand } from "./install.ts";

const PACKAGES = ["at-spi2-core", "dbus-daemon"];
const SWITCH_ON =
  "gsettings set org.gnome.desktop.interface toolkit-accessibility true, and start those programs again; " +
  "Chromium and Electron need --force-renderer-accessibility";

/** Of a virtual display, which gets buses of its own. */
export function checkOwnElements(host: Host): Verdict {
  const isThere = host.which("dbus-daemon") !== undefined && findLauncher(host) !== undefined;
  if (isThere) return ok("an accessibility bus is started with the virtual display");
  return note(
    `programs tell no elements: ${PACKAGES.join(" or ")} is not installed`,
    installCommand(host, PACKAGES),
  );
}

/** @param named the address that the display itself names */
export async function checkElements(host: Host, named?: string): Promise<Verdict> {
  try {
    const address = named ?? await findSessionAccessibilityBus(host);
    using client = await AtspiClient.open(address);
    const { length } = await client.listPrograms();
    const found = `an accessibility bus; ${length} programs tell what they show`;
    if (await isSwitchedOn(host)) return ok(found);
    return note(`${found}; those of Qt, Chromium and Firefox are not asked to`, SWITCH_ON);
  } catch (error) {
    return note((error as Error).message, installCommand(host, PACKAGES));
  }
}
