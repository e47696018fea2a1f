/** Somebody at a GNOME desktop: clicks and keys through the compositor's own interface. */

import { openBus } from "../../../src/platform/linux/bus/message_bus.ts";
import type { Point } from "../../../src/core/geometry.ts";
import type { WaylandDesktop } from "./desktop.ts";

const REMOTE_DESKTOP = "org.gnome.Mutter.RemoteDesktop";
const SCREEN_CAST = "org.gnome.Mutter.ScreenCast";
const DISPLAY_CONFIG = "org.gnome.Mutter.DisplayConfig";
const LEFT_BUTTON = 0x110;

export interface Person extends AsyncDisposable {
  click(at: Point): Promise<void>;
  /** Presses and releases a key, by its keysym. */
  press(keysym: number): Promise<void>;
}

export async function openPerson({ env }: Pick<WaylandDesktop, "env">): Promise<Person> {
  const bus = await openBus(env["DBUS_SESSION_BUS_ADDRESS"]!);
  const call = async (
    [destination, path, name]: readonly [string, string, string],
    member: string,
    signature = "",
    body: readonly unknown[] = [],
  ) => (await bus.call({ destination, path, interface: name, member, signature, body })).body;

  const [, monitors] = await call([
    DISPLAY_CONFIG,
    "/org/gnome/Mutter/DisplayConfig",
    DISPLAY_CONFIG,
  ], "GetCurrentState");
  const connector = (monitors as [[string]][])[0]![0][0];
  const [control] = await call(
    [REMOTE_DESKTOP, "/org/gnome/Mutter/RemoteDesktop", REMOTE_DESKTOP],
    "CreateSession",
  );
  const session = [REMOTE_DESKTOP, control as string, `${REMOTE_DESKTOP}.Session`] as const;
  const [id] = await call(
    [REMOTE_DESKTOP, control as string, "org.freedesktop.DBus.Properties"],
    "Get",
    "ss",
    [`${REMOTE_DESKTOP}.Session`, "SessionId"],
  );
  const [cast] = await call(
    [SCREEN_CAST, "/org/gnome/Mutter/ScreenCast", SCREEN_CAST],
    "CreateSession",
    "a{sv}",
    [[["remote-desktop-session-id", ["s", id]]]],
  );
  const [stream] = await call(
    [SCREEN_CAST, cast as string, `${SCREEN_CAST}.Session`],
    "RecordMonitor",
    "sa{sv}",
    [connector, []],
  );
  await call(session, "Start");
  const move = ({ x, y }: Point) =>
    call(session, "NotifyPointerMotionAbsolute", "sdd", [stream, x, y]);
  await move({ x: 1, y: 1 }); // the first input makes the device, which programs have to take note of
  return {
    async click(at) {
      await move(at);
      for (const isDown of [true, false]) {
        await call(session, "NotifyPointerButton", "ib", [LEFT_BUTTON, isDown]);
      }
    },
    async press(keysym) {
      for (const isDown of [true, false]) {
        await call(session, "NotifyKeyboardKeysym", "ub", [keysym, isDown]);
      }
    },
    async [Symbol.asyncDispose]() {
      await call(session, "Stop");
      bus[Symbol.dispose]();
    },
  };
}
