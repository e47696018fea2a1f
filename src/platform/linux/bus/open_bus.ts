/** How a bus is opened; what speaks its protocol is loaded only then. */

import type { BusOptions } from "./message_bus.ts";
import type { MessageBus } from "./types.ts";

/** @throws ServiceError `unavailable` */
export async function openBus(address: string, options: BusOptions = {}): Promise<MessageBus> {
  return await (await import("./message_bus.ts")).openBus(address, options);
}

/** The first argument with which the program only holds a connection to a bus. */
export const BROKER_COMMAND = "hold-bus-connection";
