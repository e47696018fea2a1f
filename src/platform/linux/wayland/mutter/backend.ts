/**
 * GNOME by the interface of Mutter's own remote desktop: asks nobody, for machines without a person.
 * It is private, so another version of GNOME can change it; `--wayland-backend mutter` asks for it.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import { sessionBusAddress } from "../../bus/address.ts";
import { BusError } from "../../bus/bus_error.ts";
import { openBus } from "../../bus/message_bus.ts";
import { promptBus } from "../../bus/prompt_bus.ts";
import type { WaylandBackend, WaylandContext } from "../backend.ts";
import { MutterDesktop } from "./desktop.ts";

export const MUTTER: WaylandBackend = {
  name: "mutter",
  fits: (_host, { waylandBackend }) => waylandBackend === "mutter",
  reason: "as --wayland-backend asks",
  async open(context: WaylandContext) {
    const { host } = context;
    let address: string;
    try {
      address = sessionBusAddress(host);
    } catch (error) {
      return missing((error as ServiceError).message);
    }
    const bus = promptBus(await openBus(address));
    try {
      return available(await MutterDesktop.open(bus, context));
    } catch (error) {
      bus[Symbol.dispose]();
      if (!(error instanceof BusError)) throw error;
      if (error.isServiceMissing) return missing(NOT_GNOME);
      if (error.errorName === ACCESS_DENIED) throw refused(error);
      throw error;
    }
  },
};

const NOT_GNOME =
  "no program on the session bus is org.gnome.Mutter.RemoteDesktop, so this is not GNOME";
const ACCESS_DENIED = "org.freedesktop.DBus.Error.AccessDenied";

/** GNOME does so while its screen is locked. */
function refused(cause: BusError): ServiceError {
  const text =
    "GNOME refuses to be controlled now, as it does while the screen is locked: unlock it";
  return new ServiceError("unavailable", text, { cause });
}
