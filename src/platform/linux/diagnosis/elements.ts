/** Checks whether programs of the display can tell what they show. */

import { note, ok, type Verdict } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import { AtspiClient } from "../atspi/client.ts";
import {
  findSessionAccessibilityBus,
  isSwitchedOn,
  runsAccessibilityBus,
} from "../atspi/find_bus.ts";
import { findLauncher } from "../atspi/own_buses.ts";
import { installCommand } from "./install.ts";

const PACKAGES = ["dbus-daemon", "at-spi2-core"];
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

/**
 * Starts nothing: the bus of a session is started by the first program that asks for it.
 * @param named the address that the display itself names
 */
export async function checkElements(host: Host, named?: string): Promise<Verdict> {
  try {
    const isRunning = await runsAccessibilityBus(host).catch((error) => {
      if (named === undefined) throw error;
      return false;
    });
    if (!isRunning && named === undefined) {
      return ok("the accessibility bus starts when a program asks for it");
    }
    using client = await AtspiClient.open(named ?? await findSessionAccessibilityBus(host));
    const { length } = await client.listPrograms();
    const found = `an accessibility bus; ${length} programs tell what they show`;
    if (!isRunning || await isSwitchedOn(host)) return ok(found);
    return note(`${found}; those of Qt, Chromium and Firefox are not asked to`, SWITCH_ON);
  } catch (error) {
    return note((error as Error).message, installCommand(host, PACKAGES));
  }
}
