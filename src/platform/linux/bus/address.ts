/** Addresses of D-Bus: `unix:path=/run/user/1000/bus;unix:abstract=/tmp/dbus-1`. */

import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";

/**
 * The address of the session bus: as the session says, else its usual place.
 * @throws ServiceError `unavailable`: there is none.
 */
export function sessionBusAddress({ env, uid, exists }: Host): string {
  const named = env["DBUS_SESSION_BUS_ADDRESS"];
  if (named) return named;
  const runtime = env["XDG_RUNTIME_DIR"] || (uid === null ? "" : `/run/user/${uid}`);
  const path = `${runtime}/bus`;
  if (runtime !== "" && exists(path)) return `unix:path=${path}`;
  throw new ServiceError(
    "unavailable",
    "Cannot find the session bus: DBUS_SESSION_BUS_ADDRESS is not set; start the service inside the session",
  );
}

/**
 * The local sockets of an address, in its order; a name that starts with `@` is an abstract one.
 * Other transports are left out.
 */
export function parseBusAddress(address: string): string[] {
  return address.split(";").flatMap((each) => {
    const [, parameters] = /^unix:(.*)$/.exec(each) ?? [];
    if (parameters === undefined) return [];
    const values = new Map(
      parameters.split(",").map((pair) => pair.split("=", 2) as [string, string]),
    );
    const path = values.get("path");
    const abstract = values.get("abstract");
    if (path) return [unescape(path)];
    return abstract ? [`@${unescape(abstract)}`] : [];
  });
}

/** `%2f` -> `/`; what is no escape stays. */
function unescape(value: string): string {
  const bytes = value.replace(
    /%([0-9a-f]{2})/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
}
