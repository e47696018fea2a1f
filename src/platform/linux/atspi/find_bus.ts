/** Where the accessibility bus is. */

import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import { sessionBusAddress } from "../bus/address.ts";
import { openBus } from "../bus/message_bus.ts";

const LAUNCHER = "org.a11y.Bus";
const DAEMON = "org.freedesktop.DBus";

/** @throws ServiceError `unavailable`: there is none */
export async function findSessionAccessibilityBus(host: Host): Promise<string> {
  return await askSessionBus(sessionBusAddress(host));
}

/**
 * The address of the accessibility bus of a session; its launcher is started where it does not run.
 * @param sessionBus the address of the session bus
 * @throws ServiceError `unavailable`: there is none, with the advice to install it
 */
export async function askSessionBus(sessionBus: string): Promise<string> {
  using bus = await openBus(sessionBus);
  try {
    const { body: [address] } = await bus.call({
      destination: LAUNCHER,
      path: "/org/a11y/bus",
      interface: LAUNCHER,
      member: "GetAddress",
    });
    return String(address);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError("unavailable", NO_BUS, { cause: error });
  }
}

/**
 * Whether the accessibility bus of the session runs; `false` where it can be started.
 * @throws ServiceError `unavailable`: there is none, or no session bus
 */
export async function runsAccessibilityBus(host: Host): Promise<boolean> {
  using bus = await openBus(sessionBusAddress(host));
  const list = async (member: string) => {
    const daemon = { destination: DAEMON, path: "/org/freedesktop/DBus", interface: DAEMON };
    const { body: [names] } = await bus.call({ ...daemon, member });
    return (names as string[]).includes(LAUNCHER);
  };
  if (await list("ListNames")) return true;
  if (await list("ListActivatableNames")) return false;
  throw new ServiceError("unavailable", NO_BUS);
}

/** Whether the session asks all programs to tell what they show; `true` where it does not say. */
export async function isSwitchedOn(host: Host): Promise<boolean> {
  try {
    using bus = await openBus(sessionBusAddress(host));
    const { body: [enabled] } = await bus.call({
      destination: LAUNCHER,
      path: "/org/a11y/bus",
      interface: "org.freedesktop.DBus.Properties",
      member: "Get",
      signature: "ss",
      body: ["org.a11y.Status", "IsEnabled"],
    });
    return enabled !== false;
  } catch {
    return true;
  }
}

/** @throws ServiceError `unavailable` */
export function failWithoutBus(): Promise<never> {
  return Promise.reject(new ServiceError("unavailable", NO_BUS));
}

const NO_BUS =
  "Cannot read elements: the session has no accessibility bus; install at-spi2-core (`setup` does it)";
