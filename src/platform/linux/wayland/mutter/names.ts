/**
 * Names of Mutter's interfaces on the session bus
 * (data/dbus-interfaces/org.gnome.Mutter.*.xml of its sources): a private interface, which GNOME's own
 * remote desktop uses.
 */

import type { BusCall, CallOptions, MessageBus } from "../../bus/types.ts";

export const REMOTE_DESKTOP = "org.gnome.Mutter.RemoteDesktop";
export const SCREEN_CAST = "org.gnome.Mutter.ScreenCast";
export const DISPLAY_CONFIG = "org.gnome.Mutter.DisplayConfig";
export const REMOTE_SESSION = `${REMOTE_DESKTOP}.Session`;
export const CAST_SESSION = `${SCREEN_CAST}.Session`;
export const STREAM = `${SCREEN_CAST}.Stream`;

/** The path of each service's own object. */
export const SERVICES = {
  remoteDesktop: {
    destination: REMOTE_DESKTOP,
    path: "/org/gnome/Mutter/RemoteDesktop",
    interface: REMOTE_DESKTOP,
  },
  screenCast: {
    destination: SCREEN_CAST,
    path: "/org/gnome/Mutter/ScreenCast",
    interface: SCREEN_CAST,
  },
  displayConfig: {
    destination: DISPLAY_CONFIG,
    path: "/org/gnome/Mutter/DisplayConfig",
    interface: DISPLAY_CONFIG,
  },
} as const;

/** The part of an address that all calls of one object share. */
export type ObjectAddress = Pick<BusCall, "destination" | "path" | "interface">;

/** Reads a property of an object. */
export async function readProperty(
  bus: MessageBus,
  { destination, path, interface: name }: ObjectAddress,
  property: string,
  options?: CallOptions,
): Promise<unknown> {
  const { body } = await bus.call({
    destination,
    path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    body: [name, property],
  }, options);
  return body[0];
}
